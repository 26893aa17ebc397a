"""Reads a YAML mapping key by key, so that every error names its file and line."""

import re
from collections.abc import Iterator
from typing import Any, Self

from ruamel.yaml import YAML
from ruamel.yaml.comments import CommentedMap, CommentedSeq
from ruamel.yaml.error import YAMLError

from chimein_gui.sandbox_api import SceneFault, SceneProblem

_DURATION = re.compile(r"(?P<number>\d+(?:\.\d+)?)\s*(?P<unit>ms|s|min|h)?")
_SECONDS = {"ms": 0.001, "s": 1.0, "min": 60.0, "h": 3600.0, None: 1.0}


class SceneError(ValueError):
    """The file of a scene or a voice is invalid, or its cast does not exist.

    Attributes:
        problem: File, line and what is wrong.
    """

    def __init__(self, path: str, line: int, fault: SceneFault, *said: object) -> None:
        """Create the error with what belongs to the fault."""
        self.problem = SceneProblem(fault, path, line, tuple(map(str, said)))
        super().__init__(str(self.problem))


class Fields:
    """One mapping of a file. Every key that was requested counts as known; `finish` refuses the others."""

    def __init__(self, path: str, line: int, content: CommentedMap) -> None:
        self.path = path
        self.line = line
        self._content = content
        self._asked: set[str] = set()

    @classmethod
    def of(cls, path: str, text: str, keys: str = "title, summary, cast, lines") -> Self:
        """Parse a whole file.

        Args:
            path: For error messages.
            text: Its content.
            keys: What it needs, for the error if it is no mapping.

        Raises:
            SceneError: It is no YAML, has a duplicate key, or is no mapping.
        """
        try:
            content = YAML().load(text)
        except YAMLError as error:
            mark = getattr(error, "problem_mark", None)
            line = mark.line + 1 if mark else text.count("\n", 0, getattr(error, "position", 0)) + 1
            said = _first_line(getattr(error, "problem", "") or error)
            raise SceneError(path, line, SceneFault.NO_YAML, said) from None
        if not isinstance(content, CommentedMap):
            raise SceneError(path, 1, SceneFault.NO_MAPPING, keys)
        return cls(path, 1, content)

    def __contains__(self, key: str) -> bool:
        return key in self._content

    def error(self, key: str, fault: SceneFault, *said: object) -> SceneError:
        """Return an error for the line of a key; if the mapping has no such key, for its own line."""
        return SceneError(self.path, self.line_of(key) if key in self._content else self.line, fault, *said)

    def _not(self, fault: SceneFault, key: str) -> SceneError:
        """Return the error for a required value that is missing or of another type."""
        return self.error(key, fault if key in self._content else SceneFault.MISSING, key)

    def line_of(self, key: str) -> int:
        """Return the line of a key, from 1."""
        return int(self._content.lc.key(key)[0]) + 1

    def keys(self) -> Iterator[str]:
        """Iterate over the keys as written; all count as known."""
        for key in self._content:
            self._asked.add(key)
            if not isinstance(key, str):
                raise SceneError(self.path, self.line_of(key), SceneFault.NO_NAME, key)
            yield key

    def raw(self, key: str) -> Any:  # noqa: ANN401 - YAML holds anything
        """Return a value unchecked, None if it is missing."""
        self._asked.add(key)
        return self._content.get(key)

    def text(self, key: str, default: str | None = None) -> str:
        """Return a text that is not blank; without a default it is required."""
        value = self.raw(key)
        if value is None and default is not None and key not in self._content:
            return default
        if not isinstance(value, str) or not value.strip():
            raise self._not(SceneFault.NO_TEXT, key)
        return value

    def seconds(self, key: str, default: float | None = None) -> float:
        """Return a duration such as ``2.5s``, ``300ms``, ``2 min`` in seconds; a bare number is seconds."""
        value = self.raw(key)
        if value is None and default is not None and key not in self._content:
            return default
        found = _DURATION.fullmatch(str(value).strip()) if not isinstance(value, bool) else None
        if found is None:
            raise self.error(key, SceneFault.NO_TIME, key, value)
        return float(found["number"]) * _SECONDS[found["unit"]]

    def number(self, key: str, default: float, *, low: float, high: float) -> float:
        """Return a number within bounds."""
        value = self.raw(key)
        if value is None and key not in self._content:
            return default
        if isinstance(value, bool) or not isinstance(value, int | float) or not low <= value <= high:
            raise self.error(key, SceneFault.NO_NUMBER, key, value, f"{low:g}", f"{high:g}")
        return float(value)

    def mapping(self, key: str) -> "Fields":
        """Return a required mapping."""
        value = self.raw(key)
        if not isinstance(value, CommentedMap):
            raise self._not(SceneFault.NO_INNER_MAPPING, key)
        return Fields(self.path, self.line_of(key), value)

    def items(self, key: str) -> list[Any]:
        """Return a required list that is not empty."""
        value = self.raw(key)
        if not isinstance(value, CommentedSeq) or not value:
            raise self._not(SceneFault.NO_LIST, key)
        return list(value)

    def texts(self, key: str) -> tuple[str, ...]:
        """Return one or several texts, given as a text or a list; required, and none may be blank."""
        if not isinstance(self.raw(key), CommentedSeq):
            return (self.text(key),)
        found = self.items(key)
        for number, value in enumerate(found):
            if not isinstance(value, str) or not value.strip():
                line = int(self.raw(key).lc.item(number)[0]) + 1
                raise SceneError(self.path, line, SceneFault.UNQUOTED, key, value)
        return tuple(found)

    def mappings(self, key: str) -> "list[Fields]":
        """Return a list of mappings."""
        lines = self.raw(key)
        entries = []
        for number, value in enumerate(self.items(key)):
            line = int(lines.lc.item(number)[0]) + 1
            if not isinstance(value, CommentedMap):
                raise SceneError(self.path, line, SceneFault.ENTRY_NO_MAPPING, key)
            entries.append(Fields(self.path, line, value))
        return entries

    def entries(self, key: str) -> "list[str | Fields]":
        """Return a list of texts and mappings."""
        lines = self.raw(key)
        entries: list[str | Fields] = []
        for number, value in enumerate(self.items(key)):
            line = int(lines.lc.item(number)[0]) + 1
            if not isinstance(value, CommentedMap) and (not isinstance(value, str) or not value.strip()):
                raise SceneError(self.path, line, SceneFault.UNQUOTED, key, value)
            entries.append(Fields(self.path, line, value) if isinstance(value, CommentedMap) else value)
        return entries

    def finish(self) -> None:
        """Refuse keys that were not requested."""
        for key in self._content:
            if key not in self._asked:
                known = ", ".join(sorted(self._asked))
                raise SceneError(self.path, self.line_of(key), SceneFault.UNKNOWN_KEY, key, known)


def _first_line(words: object) -> str:
    return str(words).strip().partition("\n")[0]
