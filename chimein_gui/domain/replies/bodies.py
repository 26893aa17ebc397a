"""Parses the body of block types that have parameters: pure, never raises.

Each reader gets the lines of a body and returns the parameters and the indexes of the lines it used. It returns None
instead of the parameters if a required one is missing.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence

Reading = tuple[dict[str, str] | None, Collection[int]]

LONGEST_DELAY_S = 999_999_999.0
"""About thirty years. A longer delay is reduced to this, so that it can be added to a time; both need the operator."""

# A comma is a decimal sign only before one or two digits: “1,000” may be a thousand.
_DELAY = re.compile(
    r"(?:delay\s*:\s*)?(?P<sign>[-+]?)(?:(?P<whole>[0-9]+)(?:\.(?P<point>[0-9]*)|,(?P<comma>[0-9]{1,2}))?"
    r"|\.(?P<bare>[0-9]+))\s*(?:s|secs?|seconds?)?",
    re.IGNORECASE,
)
_URL = re.compile(r"https?://\S+", re.IGNORECASE)


def read_wait(lines: Sequence[str]) -> Reading:
    """Read the first line that is a delay: `delay: 5`, `2.5`, `5s`, `10 seconds`. Seconds; negative ones become 0."""
    for index, line in enumerate(lines):
        found = _DELAY.fullmatch(line.strip())
        if found is not None:
            return {"delay": str(_seconds(found))}, {index}
    return None, ()


def _seconds(found: re.Match[str]) -> float:
    if found["sign"] == "-":
        return 0.0
    fraction = found["point"] or found["comma"] or found["bare"] or "0"
    return min(float(f"{found['whole'] or '0'}.{fraction}"), LONGEST_DELAY_S)


def read_sticker(lines: Sequence[str]) -> Reading:
    """Read the first two non-blank lines: the set and the name."""
    filled = [index for index, line in enumerate(lines) if line.strip()][:2]
    if len(filled) < 2:  # noqa: PLR2004 - the set and the name
        return None, ()
    return {"set": lines[filled[0]].strip(), "name": lines[filled[1]].strip()}, filled


def read_retrieve(lines: Sequence[str]) -> Reading:
    """Read every line that is an http(s) address; `urls` holds one per line. A line ``raw`` asks for their source.

    Other lines are ignored and count as used, because only the look-up of such a reply is done: the model writes
    another reply when it has read the pages.
    """
    urls = [line.strip() for line in lines if _URL.fullmatch(line.strip())]
    raw = {"raw": "yes"} if any(line.strip().lower() == "raw" for line in lines) else {}
    return ({"urls": "\n".join(urls), **raw} if urls else None), range(len(lines))
