"""Reads the JSON of requests; Gemini's clients mix camelCase and snake_case in one request."""

import re
from collections.abc import Iterator, Mapping
from functools import lru_cache
from typing import Any

Json = Mapping[str, Any]

_HUMP = re.compile(r"(?<!^)(?=[A-Z])")
_BEHIND_UNDERSCORE = re.compile(r"_([a-z])")


@lru_cache(maxsize=256)
def snake(name: str) -> str:
    """Convert ``inlineData`` to ``inline_data``."""
    return _HUMP.sub("_", name).lower()


@lru_cache(maxsize=1_024)
def camel(name: str) -> str:
    """Convert ``inline_data`` to ``inlineData``."""
    return _BEHIND_UNDERSCORE.sub(lambda match: match[1].upper(), name)


def field(holder: object, name: str) -> Any:  # noqa: ANN401 - JSON
    """Return a field by its camelCase name, in either spelling; None if it is missing or `holder` is no object."""
    if not isinstance(holder, dict):
        return None
    value = holder.get(name)
    return value if value is not None else holder.get(snake(name))


def objects(value: object) -> Iterator[Json]:
    """Iterate over the objects of a list; a single object counts as a list of one."""
    if isinstance(value, dict):
        yield value
    elif isinstance(value, list | tuple):
        yield from (item for item in value if isinstance(item, dict))


def text_of(content: object) -> str:
    """Return the texts of a content's parts, joined by newlines."""
    parts = field(content, "parts")
    return "\n".join(text for part in objects(parts) if isinstance(text := part.get("text"), str) and text)
