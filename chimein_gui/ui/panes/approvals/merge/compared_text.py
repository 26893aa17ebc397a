"""A text with its changes: removed words struck through, added ones underlined; a change can be clicked."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QCoreApplication, QObject, Qt, Signal
from PySide6.QtGui import QTextCharFormat

from chimein_gui.domain.text.merge import Change, Chunk, Side
from chimein_gui.ui.widgets.text import foreign_text
from chimein_gui.ui.widgets.text.tinted_text import TintedText
from chimein_gui.ui.widgets.theme.theme import Theme

if TYPE_CHECKING:
    from collections.abc import Sequence

    from PySide6.QtGui import QMouseEvent
    from PySide6.QtWidgets import QScrollBar

translate = QCoreApplication.translate

GROUNDS = {
    Change.MINE: ("diff_added", "diff_added_text"),
    Change.THEIRS: ("info_soft", "info"),
    Change.AGREED: ("raised", "text1"),
    Change.CONFLICT: ("attention_soft", "attention"),
}
"""Tokens of background and text for each kind of change."""

UNDERLINES = {
    Change.MINE: QTextCharFormat.UnderlineStyle.SingleUnderline,
    Change.THEIRS: QTextCharFormat.UnderlineStyle.DashUnderline,
    Change.AGREED: QTextCharFormat.UnderlineStyle.DotLine,
    Change.CONFLICT: QTextCharFormat.UnderlineStyle.WaveUnderline,
}
"""Underlines, so that changes are not shown by colour alone."""


def format_of(theme: Theme, change: Change) -> QTextCharFormat:
    """Return the format of words with a kind of change."""
    made = QTextCharFormat()
    ground, ink = GROUNDS[change]
    made.setBackground(theme.color(ground))
    made.setForeground(theme.color(ink))
    made.setUnderlineStyle(UNDERLINES[change])
    return made


class ComparedText(TintedText):
    """One of the compared texts.

    Attributes:
        taken: A change was clicked; carries its index.
    """

    taken = Signal(int)

    def __init__(self, theme: Theme, name: str = "") -> None:
        super().__init__(theme, name)
        self._chunks: tuple[Chunk, ...] = ()
        self._side = Side.BASE
        self._ends: list[tuple[int, int]] = []
        theme.changed.connect(self._fill)

    def show_chunks(self, chunks: Sequence[Chunk], side: Side) -> None:
        """Show one of the texts, with its changes relative to the original draft."""
        if (tuple(chunks), side) != (self._chunks, self._side):
            self._chunks, self._side = tuple(chunks), side
            self._fill()

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        super().mouseReleaseEvent(event)
        if event.button() is Qt.MouseButton.LeftButton and not self.textCursor().hasSelection():
            at = self.cursorForPosition(event.position().toPoint()).position()
            place = next((place for end, place in self._ends if at < end), None)
            if place is not None and self._is_changed(self._chunks[place]):
                self.taken.emit(place)

    def _is_changed(self, chunk: Chunk) -> bool:
        return self._side is not Side.BASE and chunk.of(self._side) != chunk.base

    def _fill(self) -> None:
        said: list[str] = []
        runs: list[tuple[str, QTextCharFormat]] = []
        places: list[int] = []
        plain = self.plain("text1" if self._side is not Side.BASE else "text2")
        for place, chunk in enumerate(self._chunks):
            words = foreign_text.body(chunk.of(self._side))
            if not self._is_changed(chunk):
                runs.append((words, plain))
            else:
                before = foreign_text.body(chunk.base)
                if before.strip():
                    runs.append((before.rstrip("\n"), self._removed()))
                    said.append(translate("ComparedText", "removed: {words}").format(words=before.strip()))
                    if words and not before[-1:].isspace():
                        runs.append((" ", plain))
                runs.append((words, format_of(self._theme, chunk.change)))
                if words.strip():
                    said.append(translate("ComparedText", "added: {words}").format(words=words.strip()))
            places += [place] * (len(runs) - len(places))
        ends = self.fill(runs, "; ".join(said))
        self._ends = list(zip(ends, places, strict=True))

    def _removed(self) -> QTextCharFormat:
        made = QTextCharFormat()
        made.setBackground(self._theme.color("diff_removed"))
        made.setForeground(self._theme.color("diff_removed_text"))
        made.setFontStrikeOut(True)
        return made


class ScrollTogether(QObject):
    """Synchronizes the scroll positions of several texts, as shares of their lengths."""

    def __init__(self, texts: Sequence[ComparedText], parent: QObject) -> None:
        super().__init__(parent)
        self._bars = [text.verticalScrollBar() for text in texts]
        self._follows = False
        for bar in self._bars:
            bar.valueChanged.connect(lambda _value, moved=bar: self._follow(moved))

    def _follow(self, moved: QScrollBar) -> None:
        if self._follows or not moved.maximum():
            return
        self._follows = True
        for bar in self._bars:
            if bar is not moved:
                bar.setValue(round(bar.maximum() * moved.value() / moved.maximum()))
        self._follows = False
