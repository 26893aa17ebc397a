"""The text of a file as an editor shows it, and where each shown character is in the file."""

from __future__ import annotations

import re
from bisect import bisect_left
from typing import TYPE_CHECKING

from chimein_gui.domain.agent_files.edits import LINE_END, Splice, line_end_of

if TYPE_CHECKING:
    from PySide6.QtWidgets import QPlainTextEdit

STAND_IN = "\u2423"
"""Shown instead of a character that is invisible, turns the writing direction, or means a line end to Qt."""

_HIDDEN = re.compile(
    "[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u00ad\u200b\u200e\u200f\u2028-\u202e\u2060-\u2069\u061c\u115f\u1160\u180e"
    "\u3164\ufdd0-\ufdef\ufeff\ufff9-\uffff\U000e0000-\U000e007f\ud800-\udfff]"
)
_SURROGATE = re.compile("[\ud800-\udfff]")


class ShownText:
    """A text, what is shown of it, and the places of both; a file's own byte order mark is not shown."""

    def __init__(self, text: str) -> None:
        self.text = text
        self._mark = 1 if text.startswith("\ufeff") else 0
        body = text[self._mark :]
        self._pairs: list[int] = []
        for number, found in enumerate(re.finditer("\r\n", body)):
            self._pairs.append(found.start() - number)
        self.shown = _HIDDEN.sub(STAND_IN, LINE_END.sub("\n", body))

    def place_in_file(self, shown: int) -> int:
        """Return the place in the file of a place in what is shown."""
        return self._mark + shown + bisect_left(self._pairs, shown)

    def edited(self, change: Splice) -> str:
        """Return the file's text after a change of what is shown; new lines end as those of the file do."""
        words = _SURROGATE.sub("\ufffd", change.words).replace("\n", line_end_of(self.text))
        start, end = self.place_in_file(change.start), self.place_in_file(change.end)
        return self.text[:start] + words + self.text[end:]


def shown_in(editor: QPlainTextEdit) -> str:
    """Return the text of an editor with its non-breaking spaces, which Qt's plain text turns into blanks."""
    return editor.document().toRawText().replace("\u2029", "\n").replace("\u2028", "\n")


def utf16(text: str) -> int:
    """Return how many places a text takes in Qt."""
    return len(text.encode("utf-16-le", "surrogatepass")) // 2
