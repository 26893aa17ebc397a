"""Wrapped text with a limit of lines; bubbles and cards lay out through here."""

from __future__ import annotations

import unicodedata
from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import dataclass

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QPainter, QTextCharFormat, QTextLayout, QTextOption

LINE_HEIGHT = 1.36
_LONGEST_LINE = 400
MONO = ["DejaVu Sans Mono", "Menlo", "Consolas", "monospace"]

KEPT_CHARS = 65_536
"""Characters of all laid-out texts that are kept together; Qt needs about 100 bytes for each."""

_LONGEST_KEPT = 8_200


@dataclass(frozen=True, slots=True)
class Format:
    """How a stretch of a text looks.

    Attributes:
        start: In UTF-16 units.
        length: In UTF-16 units.
        bold: Heavier letters.
        italic: Slanted letters.
        underline: A line below.
        strike: A line through.
        mono: Letters of one width.
        ink: Colour of the letters, or None for the text's own.
        ground: Colour behind them, or None.
    """

    start: int
    length: int
    bold: bool = False
    italic: bool = False
    underline: bool = False
    strike: bool = False
    mono: bool = False
    ink: int | None = None
    ground: int | None = None


Formats = tuple[Format, ...]
_Key = tuple[str, str, float, int, Formats]


@dataclass(slots=True)
class TextBlock:
    """A laid-out text.

    Attributes:
        layout: Qt's own, with lines placed from 0, 0.
        width: Widest line.
        height: Sum of the lines.
        last_width: Width of the last line, beside which a time may find room.
        rtl: It runs from right to left, so that the room beside the last line is at its left.
    """

    layout: QTextLayout
    width: float
    height: float
    last_width: float
    rtl: bool


class _Kept:
    """The blocks that were asked for last."""

    def __init__(self) -> None:
        self._blocks: OrderedDict[_Key, TextBlock] = OrderedDict()
        self.chars = 0
        self.made = 0

    def find(self, key: _Key) -> TextBlock | None:
        block = self._blocks.get(key)
        if block is not None:
            self._blocks.move_to_end(key)
        return block

    def keep(self, key: _Key, block: TextBlock) -> None:
        self._blocks[key] = block
        self.chars += len(key[0]) + 1
        while self.chars > KEPT_CHARS:
            oldest, _ = self._blocks.popitem(last=False)
            self.chars -= len(oldest[0]) + 1


kept = _Kept()
"""Shared by all widgets: drawing does not change a block."""


def lay_out(text: str, font: QFont, width: float, max_lines: int = 0, formats: Formats = ()) -> TextBlock:
    """Wrap `text` to `width`; with `max_lines` the last line is elided. The block is shared: only draw it."""
    key = (text, font.key(), width, max_lines, formats)
    block = kept.find(key) if len(text) <= _LONGEST_KEPT else None
    if block is None:
        kept.made += 1
        block = _lay_out(text, font, width, max_lines, formats)
        if len(text) <= _LONGEST_KEPT:
            kept.keep(key, block)
    return block


def _lay_out(text: str, font: QFont, width: float, max_lines: int, formats: Formats) -> TextBlock:
    metrics = QFontMetricsF(font)
    if max_lines:
        text = text[: max_lines * _LONGEST_LINE]  # shaping the rest of 100 kB would be for nothing
    step = round(metrics.height() * LINE_HEIGHT / 1.17) if metrics.height() else 0
    step = max(step, round(metrics.height()))
    block = _place(text, font, width, step, max_lines, formats)
    if max_lines and block.layout.lineCount() == max_lines:
        last = block.layout.lineAt(max_lines - 1)
        end = last.textStart() + last.textLength()
        shown = block.layout.text()
        if end < len(shown.encode("utf-16-le", "surrogatepass")) // 2:
            units = shown.encode("utf-16-le", "surrogatepass")
            head = units[: last.textStart() * 2].decode("utf-16-le", "replace")
            tail = units[last.textStart() * 2 :].decode("utf-16-le", "replace").replace("\u2028", " ")
            tail = metrics.elidedText(tail[:400], Qt.TextElideMode.ElideRight, width - 2)
            block = _place(head + tail, font, width, step, max_lines, formats)
    return block


def runs_right_to_left(text: str) -> bool:
    """Tell the direction of a text: that of its first letter that has one."""
    for char in text:
        direction = unicodedata.bidirectional(char)
        if direction in {"L", "R", "AL"}:
            return direction != "L"
    return False


def _place(text: str, font: QFont, width: float, step: float, max_lines: int, formats: Formats) -> TextBlock:
    layout = QTextLayout(text.replace("\n", "\u2028"), font)
    if formats:
        layout.setFormats([_range(one) for one in formats])
    option = QTextOption()
    option.setWrapMode(QTextOption.WrapMode.WrapAtWordBoundaryOrAnywhere)
    rtl = runs_right_to_left(text)
    if rtl:
        option.setTextDirection(Qt.LayoutDirection.RightToLeft)
        option.setAlignment(Qt.AlignmentFlag.AlignRight)
    layout.setTextOption(option)
    layout.setCacheEnabled(True)
    layout.beginLayout()
    y = widest = last = 0.0
    count = 0
    while (not max_lines or count < max_lines) and (line := layout.createLine()).isValid():
        line.setLineWidth(max(8.0, width))
        line.setPosition(QPointF(0, y + (step - line.height()) / 2))
        last = line.naturalTextWidth()
        widest = max(widest, last)
        y += max(step, line.height())
        count += 1
    layout.endLayout()
    return TextBlock(layout, widest, y, last, rtl)


def _range(one: Format) -> QTextLayout.FormatRange:
    look = QTextCharFormat()
    if one.bold:
        look.setFontWeight(QFont.Weight.DemiBold)
    if one.italic:
        look.setFontItalic(True)
    if one.underline:
        look.setFontUnderline(True)
    if one.strike:
        look.setFontStrikeOut(True)
    if one.mono:
        look.setFontFamilies(MONO)
    if one.ink is not None:
        look.setForeground(QColor.fromRgba(one.ink))
    if one.ground is not None:
        look.setBackground(QColor.fromRgba(one.ground))
    return stretch(one.start, one.length, look)


def stretch(start: int, length: int, look: QTextCharFormat) -> QTextLayout.FormatRange:
    """Return a look for a stretch of a layout, in UTF-16 units."""
    made = QTextLayout.FormatRange()
    made.start, made.length, made.format = start, length, look
    return made


def draw(
    painter: QPainter,
    block: TextBlock,
    place: QPointF,
    color: QColor,
    marked: Sequence[QTextLayout.FormatRange] = (),
) -> None:
    """Paint a block with its top left corner at `place`; `marked` stretches are painted over in their own look."""
    painter.setPen(color)
    if marked:
        block.layout.draw(painter, place, list(marked))
    else:
        block.layout.draw(painter, place)


def draw_in(painter: QPainter, text: str, font: QFont, color: QColor, rect: QRectF, max_lines: int) -> float:
    """Lay out and paint in one go; return the height."""
    block = lay_out(text, font, rect.width(), max_lines)
    draw(painter, block, rect.topLeft(), color)
    return block.height
