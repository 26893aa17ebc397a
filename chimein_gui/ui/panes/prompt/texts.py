"""The text of a prompt: read-only, with its marks set off, and searchable."""

from __future__ import annotations

from bisect import bisect_right
from typing import TYPE_CHECKING, NamedTuple

from PySide6.QtCore import QPoint, QRectF, Qt
from PySide6.QtGui import QFont, QPainter, QPen, QTextCharFormat, QTextCursor, QTextFormat
from PySide6.QtWidgets import QFrame, QPlainTextEdit, QTextEdit

from chimein_gui.domain.messages import utf16_length
from chimein_gui.domain.prompt.foreign import masks_in
from chimein_gui.domain.retrieval.turns import read_page
from chimein_gui.viewmodels.core.sanitize import sanitize

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from PySide6.QtGui import QColor, QPaintEvent

    from chimein_gui.domain.prompt.sent import RequestTurn
    from chimein_gui.ui.widgets.theme.theme import Theme
    from chimein_gui.viewmodels.prompt.sections import PartRow

MOST_FOUND = 1_000
"""Most matches that are marked."""

_EDGE, _CARD_PAD = 3, 4
_OWN = "model"
"""Role of the agent's own turns."""


class _At(NamedTuple):
    """A place in the shown text: line from 0, and UTF-16 units before it in that line."""

    line: int
    column: int


def _shown(text: str, offsets: Sequence[int], first: int) -> tuple[str, list[_At]]:
    """Return what is shown of a sent text that begins in the line `first`, and where some of its characters are.

    Args:
        text: The text.
        offsets: Characters before each of the places, in order.
        first: A line.
    """
    pieces, places = [], []
    at, line, column = 0, first, 0
    for offset in (*offsets, len(text)):
        piece = sanitize(text[at:offset], keep_breaks=True)
        pieces.append(piece)
        *above, last = piece.split("\n")
        line, column = line + len(above), utf16_length(last) + (0 if above else column)
        places.append(_At(line, column))
        at = offset
    return "".join(pieces), places[:-1]


class PromptText(QPlainTextEdit):
    """A text in pieces. Control characters and direction overrides are made visible, as everywhere in the window."""

    def __init__(self, theme: Theme, name: str, tint: str = "accent") -> None:
        """Make an empty text.

        Args:
            theme: Colours and fonts.
            name: For screen readers.
            tint: The colour of the places that are set off, such as values of variables.
        """
        super().__init__()
        self._theme, self._tint = theme, tint
        self._lines: list[tuple[str, str]] = []
        self._heads: list[int] = []
        self._current = -1
        self._filled: list[tuple[_At, _At]] = []
        self._cut: _At | None = None
        self._found: list[QTextCursor] = []
        self._at = -1
        self.setAccessibleName(name)
        self.setReadOnly(True)
        self.setTextInteractionFlags(
            Qt.TextInteractionFlag.TextSelectableByMouse | Qt.TextInteractionFlag.TextSelectableByKeyboard
        )
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setUndoRedoEnabled(False)
        self.setTabChangesFocus(True)
        self.document().setDocumentMargin(12)
        self._take_font()
        theme.changed.connect(self._draw)
        theme.fonts_changed.connect(self._take_font)

    # --- contents -------------------------------------------------------------------------------------------------

    def show_sections(self, rows: Iterable[PartRow]) -> None:
        """Show sections of the system instruction, each with its mark as sent."""
        lines: list[tuple[str, str]] = []
        heads = []
        filled: list[tuple[_At, _At]] = []
        for row in rows:
            heads.append(len(lines))
            shown, places = _shown(row.text, [place for pair in row.filled for place in pair], len(lines))
            filled += zip(places[::2], places[1::2], strict=True)
            mark, *text = shown.split("\n")
            lines += [(mark, "head"), *((line, "") for line in text), ("", "")]
        self._put(lines, heads, filled)

    def show_turns(self, turns: Sequence[RequestTurn]) -> None:
        """Show the contents, a card for each turn: its role, its header part as sent, and what of it was masked."""
        lines: list[tuple[str, str]] = []
        heads = []
        masked: list[tuple[_At, _At]] = []
        for turn in turns:
            heads.append(len(lines))
            lines.append((turn.role, "role own" if turn.role == _OWN else "role"))
            is_page = read_page(turn.role, turn.parts) is not None
            for number, part in enumerate(turn.parts or ("",)):
                shown, places = _shown(part, [place for pair in masks_in(part) for place in pair], len(lines))
                masked += zip(places[::2], places[1::2], strict=True)
                is_mark = not number or (part.startswith("⟦") and not is_page)
                lines += [(line, "mark" if is_mark or line.startswith("⟦") else "") for line in shown.split("\n")]
            lines.append(("", ""))
        self._put(lines, heads, masked)

    def _put(self, lines: list[tuple[str, str]], heads: list[int], filled: Sequence[tuple[_At, _At]] = ()) -> None:
        if lines == self._lines and list(filled) == self._filled:
            return
        before, is_same = self._lines, list(filled) == self._filled
        self._heads, self._lines, self._filled, self._current = heads, lines, list(filled), -1
        if before and is_same:
            self._replace(before)
        else:
            self._draw()

    def show_cut(self, piece: int, text: str, offset: int) -> None:
        """Mark where the text begins to differ from that of the call before it.

        Args:
            piece: The section or turn; -1 removes the mark.
            text: What is shown of it, as sent.
            offset: Characters of it before the place.
        """
        is_there = 0 <= piece < len(self._heads)
        self._cut = _shown(text, (offset,), self._heads[piece])[1][0] if is_there else None
        self._mark()

    def go_to_cut(self) -> None:
        """Put the cursor where the text begins to differ, and show it."""
        if self._cut is not None:
            self.setTextCursor(self._cursor(self._cut))
            self.centerCursor()

    def _draw(self) -> None:
        kept = self.verticalScrollBar().value()
        self.clear()
        self.setCurrentCharFormat(QTextCharFormat())  # a new text takes the format at the cursor
        self.setPlainText("\n".join(line for line, _style in self._lines))
        self._dress(0, len(self._lines))
        self._settle(kept)

    def _replace(self, before: list[tuple[str, str]]) -> None:
        """Write only the lines that differ: a long prompt that is read again every second differs at its end."""
        now, kept = self._lines, self.verticalScrollBar().value()
        first, least = 0, min(len(before), len(now)) - 1  # one line is written in any case
        while first < least and before[first] == now[first]:
            first += 1
        behind = 0
        while behind < least - first and before[-1 - behind] == now[-1 - behind]:
            behind += 1
        document, cursor = self.document(), QTextCursor(self.document())
        cursor.beginEditBlock()
        cursor.setPosition(document.findBlockByNumber(first).position())
        last = document.findBlockByNumber(len(before) - behind - 1)
        cursor.setPosition(last.position() + last.length() - 1, QTextCursor.MoveMode.KeepAnchor)
        cursor.insertText("\n".join(line for line, _style in now[first : len(now) - behind]), QTextCharFormat())
        cursor.endEditBlock()
        self._dress(first, len(now) - behind)
        self._settle(kept)

    def _dress(self, first: int, end: int) -> None:
        """Give lines the formats of their styles."""
        formats = {style: self._format(style) for _line, style in self._lines[first:end] if style}
        cursor, block = QTextCursor(self.document()), self.document().findBlockByNumber(first)
        cursor.beginEditBlock()
        for line, style in self._lines[first:end]:
            if style and line:
                cursor.setPosition(block.position())
                cursor.setPosition(block.position() + block.length() - 1, QTextCursor.MoveMode.KeepAnchor)
                cursor.setCharFormat(formats[style])
            block = block.next()
        tint = QTextCharFormat()
        tint.setBackground(self._theme.color(f"{self._tint}_soft"))
        tint.setForeground(self._theme.color("accent_text" if self._tint == "accent" else self._tint))
        for at, behind in self._filled:
            if first <= at.line < end:
                self._cursor(at, behind).mergeCharFormat(tint)
        cursor.endEditBlock()

    def _settle(self, scrolled_to: int) -> None:
        self._found = []
        self.verticalScrollBar().setValue(scrolled_to)
        self._mark()

    def _format(self, style: str) -> QTextCharFormat:
        made = QTextCharFormat()
        ink = {"head": "accent_text", "mark": "text2", "role": "text2", "role own": "ok"}[style]
        made.setForeground(self._theme.color(ink))
        if style != "mark":
            made.setFontWeight(QFont.Weight.DemiBold)
        return made

    def _cursor(self, start: _At, end: _At | None = None) -> QTextCursor:
        """Return a cursor at a place, or over the text between two places."""
        cursor = QTextCursor(self.document())
        for at, mode in ((start, QTextCursor.MoveMode.MoveAnchor), (end, QTextCursor.MoveMode.KeepAnchor)):
            block = self.document().findBlockByNumber(at.line) if at is not None else None
            if at is not None and block is not None and block.isValid():
                cursor.setPosition(block.position() + min(at.column, block.length() - 1), mode)
        return cursor

    # --- places ---------------------------------------------------------------------------------------------------

    def go_to(self, piece: int, *, scroll: bool = True) -> None:
        """Mark a piece, and scroll it to the top; -1 marks none."""
        self._current = piece
        if scroll and 0 <= piece < len(self._heads):
            block = self.document().findBlockByNumber(self._heads[piece])
            self.moveCursor(QTextCursor.MoveOperation.End)
            self.setTextCursor(QTextCursor(block))
            self.verticalScrollBar().setValue(block.firstLineNumber())
        self._mark()

    def paintEvent(self, event: QPaintEvent) -> None:
        self._paint_cards()
        super().paintEvent(event)
        self._cover_half_line()
        self._paint_cut()
        if not 0 <= self._current < len(self._heads):
            return
        first = self.document().findBlockByNumber(self._heads[self._current])
        ends = (*self._heads[self._current + 1 :], self.document().blockCount())
        last = self.document().findBlockByNumber(ends[0] - 1)
        top = self.blockBoundingGeometry(first).translated(self.contentOffset()).top()
        bottom = self.blockBoundingGeometry(last).translated(self.contentOffset()).bottom()
        painter = QPainter(self.viewport())
        left = self.viewport().width() - _EDGE if self.isRightToLeft() else 0
        painter.fillRect(left, round(top), _EDGE, round(bottom - top), self._theme.color("accent"))
        painter.end()

    def _paint_cards(self) -> None:
        """Paint a card below the text of each turn in sight; sections have none."""
        offset, number = self.contentOffset(), self.firstVisibleBlock().blockNumber()
        place = max(0, bisect_right(self._heads, number) - 1)
        painter = QPainter(self.viewport())
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(QPen(self._theme.color("line"), 1))
        for at in range(place, len(self._heads)):
            head, style = self._heads[at], self._lines[self._heads[at]][1]
            last = (self._heads[at + 1] if at + 1 < len(self._heads) else len(self._lines)) - 2  # an empty line ends it
            top, bottom = (
                self.blockBoundingGeometry(self.document().findBlockByNumber(line)).translated(offset)
                for line in (head, last)
            )
            if top.top() - _CARD_PAD > self.viewport().height() or not style.startswith("role"):
                break
            painter.setBrush(self._theme.color("out_bubble" if style == "role own" else "card"))
            card = QRectF(4.5, top.top() - _CARD_PAD + 0.5, self.viewport().width() - 9, 0)
            card.setBottom(bottom.bottom() + _CARD_PAD - 0.5)
            painter.drawRoundedRect(card, 6, 6)
        painter.end()

    def _cover_half_line(self) -> None:
        """Leave free what is too little for the last line in sight; it is shown when the text is scrolled by a line."""
        height = self.viewport().height()
        top = self.cursorRect(self.cursorForPosition(QPoint(0, height - 1))).top()
        if 0 < top < height < top + self.fontMetrics().height():
            painter = QPainter(self.viewport())
            painter.fillRect(0, top, self.viewport().width(), height - top, self.palette().base())
            painter.end()

    def _paint_cut(self) -> None:
        """Paint a broken line above the line in which the text begins to differ."""
        if self._cut is None:
            return
        top = self.cursorRect(self._cursor(self._cut)).top()
        painter = QPainter(self.viewport())
        pen = QPen(self._theme.color("attention"), 1)
        pen.setStyle(Qt.PenStyle.DashLine)
        painter.setPen(pen)
        painter.drawLine(0, top, self.viewport().width(), top)
        painter.end()

    # --- search ---------------------------------------------------------------------------------------------------

    def search(self, words: str) -> int:
        """Mark all places with these words, and return their number, at most `MOST_FOUND`."""
        self._found, self._at = [], -1
        cursor = QTextCursor(self.document())
        while words and len(self._found) < MOST_FOUND:
            cursor = self.document().find(words, cursor)
            if cursor.isNull():
                break
            self._found.append(QTextCursor(cursor))
        self._mark()
        return len(self._found)

    def show_found(self, place: int) -> None:
        """Show one of the found places; -1 shows none."""
        self._at = place
        if 0 <= place < len(self._found):
            at = QTextCursor(self._found[place])
            at.clearSelection()
            self.setTextCursor(at)
            self.centerCursor()
        self._mark()

    def _mark(self) -> None:
        marked = []
        if self._cut is not None:
            one = QTextEdit.ExtraSelection()
            one.cursor = self._cursor(self._cut)
            one.cursor.movePosition(QTextCursor.MoveOperation.EndOfBlock, QTextCursor.MoveMode.KeepAnchor)
            one.format.setBackground(self._theme.color("attention_soft"))
            marked.append(one)
        for number, cursor in enumerate(self._found):
            one = QTextEdit.ExtraSelection()
            one.cursor = cursor
            is_current = number == self._at
            ground: QColor = self._theme.color("accent" if is_current else "attention_soft")
            one.format.setBackground(ground)
            ink = self._theme.color("on_accent" if is_current else "text1")
            one.format.setForeground(ink)
            one.format.setProperty(QTextFormat.Property.FullWidthSelection, False)
            marked.append(one)
        self.setExtraSelections(marked)
        self.viewport().update()

    def _take_font(self) -> None:
        self.setFont(self._theme.fixed_font())
