"""Two texts as one: removed words struck through, added ones underlined; never by colour alone."""

from __future__ import annotations

from PySide6.QtCore import QPointF, QSize
from PySide6.QtGui import QFont, QFontMetricsF, QPainter, QPaintEvent, QTextCharFormat, QTextLayout, QTextOption
from PySide6.QtWidgets import QSizePolicy, QWidget

from chimein_gui.domain.messages import utf16_length
from chimein_gui.domain.word_changes import Fate, Piece, changed_words, word_changes
from chimein_gui.ui.widgets import foreign_text
from chimein_gui.ui.widgets.text_block import runs_right_to_left
from chimein_gui.ui.widgets.theme import Face, Theme

LINE_HEIGHT = 1.5


class WordDiff(QWidget):
    """Painted plainly; its accessible name tells the changes in words."""

    def __init__(self, theme: Theme, *, face: Face = Face.BODY, max_lines: int = 0) -> None:
        """Begin empty.

        Args:
            theme: Colours and fonts.
            face: Of the letters.
            max_lines: Of a long text only so many are shown; 0 = all.
        """
        super().__init__()
        self._theme, self._face, self._max_lines = theme, face, max_lines
        self._pieces: tuple[Piece, ...] = ()
        self._layout: QTextLayout | None = None
        self._laid_out_for = -1
        self._height = 18.0
        policy = QSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Preferred)
        policy.setHeightForWidth(True)
        self.setSizePolicy(policy)
        theme.changed.connect(self._forget)
        theme.fonts_changed.connect(self._forget)

    @property
    def pieces(self) -> tuple[Piece, ...]:
        """What is shown."""
        return self._pieces

    @property
    def changed_words(self) -> int:
        """How many words are others."""
        return changed_words(self._pieces)

    def compare(self, before: str, after: str) -> None:
        """Show what became of one text in another; both may be foreign."""
        pieces = word_changes(foreign_text.body(before), foreign_text.body(after))
        if pieces == self._pieces:
            return
        self._pieces = pieces
        self.setAccessibleName(self._spoken())
        self._forget()
        self.updateGeometry()

    def hasHeightForWidth(self) -> bool:
        return True

    def heightForWidth(self, width: int) -> int:
        self._lay_out(width)
        return round(self._height + 0.5)

    def sizeHint(self) -> QSize:
        return QSize(300, round(self._height))

    def minimumSizeHint(self) -> QSize:
        return QSize(60, 18)

    def paintEvent(self, event: QPaintEvent) -> None:
        self._lay_out(self.width())
        painter = QPainter(self)
        painter.setPen(self._theme.color("text1"))
        if self._layout is not None:
            self._layout.draw(painter, QPointF(0, 0))
        painter.end()

    def _forget(self) -> None:
        self._layout = None
        self.update()

    def _lay_out(self, width: int) -> None:
        if self._layout is not None and self._laid_out_for == width:
            return
        font = self._theme.font(self._face)
        text = "".join(piece.text for piece in self._pieces).replace("\n", "\u2028")
        layout = QTextLayout(text, font)
        option = QTextOption()
        option.setWrapMode(QTextOption.WrapMode.WrapAtWordBoundaryOrAnywhere)
        if runs_right_to_left(text):
            option.setTextDirection(self.layoutDirection().RightToLeft)
        layout.setTextOption(option)
        layout.setFormats(self._formats())
        step = QFontMetricsF(font).height() * LINE_HEIGHT / 1.17
        layout.beginLayout()
        y, count = 0.0, 0
        while (not self._max_lines or count < self._max_lines) and (line := layout.createLine()).isValid():
            line.setLineWidth(max(20, width))
            line.setPosition(QPointF(0, y + (step - line.height()) / 2))
            y += max(step, line.height())
            count += 1
        layout.endLayout()
        self._layout, self._laid_out_for, self._height = layout, width, max(18.0, y)

    def _formats(self) -> list[QTextLayout.FormatRange]:
        formats = []
        start = 0
        for piece in self._pieces:
            units = utf16_length(piece.text)
            if piece.fate is not Fate.SAME:
                made = QTextLayout.FormatRange()
                made.start, made.length = start, utf16_length(piece.text.rstrip()) or units
                made.format = self._format(piece.fate)
                formats.append(made)
            start += units
        return formats

    def _format(self, fate: Fate) -> QTextCharFormat:
        made = QTextCharFormat()
        name = "diff_removed" if fate is Fate.REMOVED else "diff_added"
        made.setBackground(self._theme.color(name))
        made.setForeground(self._theme.color(f"{name}_text"))
        if fate is Fate.REMOVED:
            made.setFontStrikeOut(True)
        else:
            made.setFontUnderline(True)
        made.setFontWeight(QFont.Weight.Normal)
        return made

    def _spoken(self) -> str:
        said = {Fate.REMOVED: self.tr("removed: {words}"), Fate.ADDED: self.tr("added: {words}")}
        changes = [
            said[piece.fate].format(words=piece.text.strip())
            for piece in self._pieces
            if piece.fate is not Fate.SAME and piece.text.strip()
        ]
        return "; ".join(changes) or self.tr("nothing changed")
