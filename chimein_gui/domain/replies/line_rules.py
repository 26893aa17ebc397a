"""What ends a line, and what a heading of a block looks like: one definition for the parser and for masking.

Models accept many characters as a line end or a blank, so this code does, too. `mask` disarms exactly what
`parse_reply` reads as a heading.
"""

import re

LINE_ENDS = "\n\r\v\f\x1c\x1d\x1e\x85\u2028\u2029"
"""Each ends a line; CR and LF together are one end."""

_BLANK = (
    "\t\x1f \xa0\u1680\u2000-\u200a\u202f\u205f\u3000"  # blanks that are seen as such
    "\x00-\x08\x0e-\x1b\x7f-\x84\x86-\x9f"  # controls
    "\xad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u206f\u2800\u3164\ufe00-\ufe0f"
    "\ufeff\uffa0\ufff9-\ufffb\U000e0000-\U000e0fff"  # what is not seen at all
)
_BEFORE_NAME = f"[{_BLANK}]*[#\uff03\ufe5f][{_BLANK}]*"
"""The sign of a heading, including its full-width and small forms, with invisible characters around it."""

_LINE_END = re.compile(f"(\r\n|[{LINE_ENDS}])")
_HEADING = re.compile(rf"(?P<mark>{_BEFORE_NAME}«(?P<name>[^«»]*)»)(?P<argument>.*)", re.DOTALL)
HEADING_START = re.compile(rf"((?:\A|(?<=[{LINE_ENDS}])){_BEFORE_NAME})«")
"""A place where a heading would begin in a text of many lines; the group is the text before the guillemet."""


def split_lines(text: str) -> tuple[list[str], list[str]]:
    """Return the lines of a text without their ends, and the end of each (the last one has none)."""
    pieces = _LINE_END.split(text)
    return pieces[::2], [*pieces[1::2], ""]


def heading_of(line: str) -> re.Match[str] | None:
    """Return a match with the heading's `mark`, `name` and `argument`; None if the line is no heading."""
    return _HEADING.fullmatch(line)
