"""Shows the difference of two texts: removed words are struck through, added ones underlined, not only coloured."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from PySide6.QtCore import QPointF, QSize
from PySide6.QtGui import QFont, QFontMetricsF, QPainter, QPaintEvent, QTextCharFormat, QTextLayout, QTextOption
from PySide6.QtWidgets import QSizePolicy, QWidget

from chimein_gui.domain.messages import utf16_length
from chimein_gui.domain.text.word_changes import Piece, WordChange, word_changes
from chimein_gui.ui.widgets.text import foreign_text
from chimein_gui.ui.widgets.text.text_block import runs_right_to_left
from chimein_gui.ui.widgets.theme.theme import Face, Theme

if TYPE_CHECKING:
    from collections.abc import Iterable

LINE_HEIGHT = 1.5
ELLIPSIS = "…"
_MOST_KEPT = 4


@dataclass(frozen=True, slots=True)
class _LaidOut:
    """The lines for one width.

    Attributes:
        layout: The lines.
        height: Height of all lines, logical pixels.
        cut: Baseline origin of the ellipsis; None if the text was not cut.
    """

    layout: QTextLayout
    height: float
    cut: QPointF | None


class WordDiff(QWidget):
    """A painted text; its accessible name describes the changes."""

    def __init__(self, theme: Theme, *, face: Face = Face.BODY, max_lines: int = 0) -> None:
        """Create an empty widget.

        Args:
            theme: Colours and fonts.
            face: The font.
            max_lines: Most lines of a long text that are shown; 0 for all.
        """
        super().__init__()
        self._theme, self._face, self._max_lines = theme, face, max_lines
        self._pieces: tuple[Piece, ...] = ()
        self._laid_out: dict[tuple[int, int], _LaidOut] = {}
        self._height = 18.0
        policy = QSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Preferred)
        policy.setHeightForWidth(True)
        self.setSizePolicy(policy)
        theme.changed.connect(self._forget)
        theme.fonts_changed.connect(self._forget)

    @property
    def pieces(self) -> tuple[Piece, ...]:
        """The shown pieces of text."""
        return self._pieces

    def compare(self, before: str, after: str) -> None:
        """Show the difference of two texts; both may be foreign."""
        pieces = _apart(word_changes(foreign_text.body(before), foreign_text.body(after)))
        if pieces == self._pieces:
            return
        self._pieces = pieces
        self.setAccessibleName(self._spoken())
        self._forget()
        self.updateGeometry()

    def hasHeightForWidth(self) -> bool:
        return True

    def heightForWidth(self, width: int) -> int:
        self._height = self._lay_out(width, self._max_lines).height
        return round(self._height + 0.5)

    @property
    def is_cut(self) -> bool:
        """Whether the text was cut, which an ellipsis shows."""
        return self._shown().cut is not None

    def sizeHint(self) -> QSize:
        return QSize(300, round(self._height))

    def minimumSizeHint(self) -> QSize:
        return QSize(60, 18)

    def paintEvent(self, event: QPaintEvent) -> None:
        shown = self._shown()
        painter = QPainter(self)
        painter.setPen(self._theme.color("text1"))
        shown.layout.draw(painter, QPointF(0, 0))
        if shown.cut is not None:
            painter.setFont(self._theme.font(self._face))
            painter.drawText(shown.cut, ELLIPSIS)
        painter.end()

    def _forget(self) -> None:
        self._laid_out.clear()
        self.update()

    def _shown(self) -> _LaidOut:
        """Return the lines that fit, even if the widget is lower than its size hint."""
        whole = self._lay_out(self.width(), self._max_lines)
        if whole.height <= self.height() + 2:
            return whole
        lines = max(1, int((self.height() + 2) / (whole.height / max(1, whole.layout.lineCount()))))
        return self._lay_out(self.width(), lines)

    def _lay_out(self, width: int, most: int) -> _LaidOut:
        known = self._laid_out.get((width, most))
        if known is None:
            if len(self._laid_out) >= _MOST_KEPT:
                self._laid_out.clear()
            known = self._laid_out[width, most] = self._made(width, most)
        return known

    def _made(self, width: int, most: int) -> _LaidOut:
        font = self._theme.font(self._face)
        text = "".join(piece.text for piece in self._pieces).replace("\n", "\u2028")
        layout = QTextLayout(text, font)
        option = QTextOption()
        option.setWrapMode(QTextOption.WrapMode.WrapAtWordBoundaryOrAnywhere)
        if runs_right_to_left(text):
            option.setTextDirection(self.layoutDirection().RightToLeft)
        layout.setTextOption(option)
        layout.setFormats(change_formats(self._theme, self._pieces))
        metrics = QFontMetricsF(font)
        step, ellipsis = metrics.height() * LINE_HEIGHT / 1.17, metrics.horizontalAdvance(ELLIPSIS)
        layout.beginLayout()
        y, count, cut = 0.0, 0, None
        while (not most or count < most) and (line := layout.createLine()).isValid():
            count += 1
            line.setLineWidth(max(20, width))
            mirrored = option.textDirection() is self.layoutDirection().RightToLeft
            is_last = count == most and line.textStart() + line.textLength() < utf16_length(text)
            if is_last:
                line.setLineWidth(max(20, width - ellipsis))
            line.setPosition(QPointF(ellipsis if is_last and mirrored else 0, y + (step - line.height()) / 2))
            if is_last:
                ink = line.naturalTextRect()
                cut = QPointF(ink.left() - ellipsis if mirrored else ink.right(), line.y() + line.ascent())
            y += max(step, line.height())
        layout.endLayout()
        return _LaidOut(layout, max(18.0, y), cut)

    def _spoken(self) -> str:
        said = {WordChange.REMOVED: self.tr("removed: {words}"), WordChange.ADDED: self.tr("added: {words}")}
        changes = [
            said[piece.change].format(words=piece.text.strip())
            for piece in self._pieces
            if piece.change is not WordChange.SAME and piece.text.strip()
        ]
        return "; ".join(changes) or self.tr("nothing changed")


def _apart(pieces: tuple[Piece, ...]) -> tuple[Piece, ...]:
    """Return pieces with a blank where a removed word would run into what stands instead of it."""
    last = len(pieces) - 1
    return tuple(
        replace(piece, text=f"{piece.text} ")
        if piece.change is WordChange.REMOVED and place < last and not piece.text[-1:].isspace()
        else piece
        for place, piece in enumerate(pieces)
    )


def change_formats(theme: Theme, pieces: Iterable[Piece]) -> list[QTextLayout.FormatRange]:
    """Return the formats that set off the removed and the added words of a text."""
    formats = []
    start = 0
    for piece in pieces:
        units = utf16_length(piece.text)
        if piece.change is not WordChange.SAME:
            made = QTextLayout.FormatRange()
            made.start, made.length = start, utf16_length(piece.text.rstrip()) or units
            made.format = _format(theme, piece.change)
            formats.append(made)
        start += units
    return formats


def _format(theme: Theme, change: WordChange) -> QTextCharFormat:
    made = QTextCharFormat()
    name = "diff_removed" if change is WordChange.REMOVED else "diff_added"
    made.setBackground(theme.color(name))
    made.setForeground(theme.color(f"{name}_text"))
    if change is WordChange.REMOVED:
        made.setFontStrikeOut(True)
    else:
        made.setFontUnderline(True)
    made.setFontWeight(QFont.Weight.Normal)
    return made
