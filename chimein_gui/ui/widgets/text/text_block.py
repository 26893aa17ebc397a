"""Layout of wrapped text with a limit of lines, for bubbles and cards."""

from __future__ import annotations

import unicodedata
from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import dataclass, replace

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QPainter, QTextCharFormat, QTextLayout, QTextOption

from chimein_gui.ui.widgets.theme.mirror import is_turned, mirror

LINE_HEIGHT = 1.36
_LONGEST_LINE = 400
MONO = ["DejaVu Sans Mono", "Menlo", "Consolas", "monospace"]

KEPT_CHARS = 65_536
"""Most characters of all cached texts together; Qt needs about 100 bytes for each."""

_LONGEST_KEPT = 8_200


@dataclass(frozen=True, slots=True)
class Format:
    """The format of a part of a text.

    Attributes:
        start: In UTF-16 units.
        length: In UTF-16 units.
        bold: Semi-bold.
        italic: Italic.
        underline: Underlined.
        strike: Struck through.
        mono: Monospaced.
        ink: Colour of the text, or None for the default.
        ground: Colour of the background, or None.
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
    """A laid-out text; sizes in logical pixels.

    Attributes:
        layout: Qt's layout, with lines placed from 0, 0.
        width: Width of the widest line.
        height: Height of all lines.
        last_width: Width of the last line, beside which the time may fit.
        rtl: It is right-to-left, so that the space beside the last line is at its left.
        tail: Replaces the last line of `layout` if the text was cut.
        tail_top: Top of that line.
        lines: Number of shown lines of `layout`; 0 for all.
    """

    layout: QTextLayout
    width: float
    height: float
    last_width: float
    rtl: bool
    tail: QTextLayout | None = None
    tail_top: float = 0.0
    lines: int = 0


class _Kept:
    """An LRU cache of text blocks."""

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
"""Shared by all widgets, because drawing does not change a block."""


def lay_out(text: str, font: QFont, width: float, max_lines: int = 0, formats: Formats = ()) -> TextBlock:
    """Wrap `text` to `width`; with `max_lines` the last line is elided.

    The block is shared and must not be modified.
    """
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
        text = text[: max_lines * _LONGEST_LINE]  # the rest of a long text need not be shaped
    step = round(metrics.height() * LINE_HEIGHT / 1.17) if metrics.height() else 0
    step = max(step, round(metrics.height()))
    block = _place(text, font, width, step, max_lines, formats)
    if max_lines and block.layout.lineCount() == max_lines:
        _cut(block, metrics, width, step, formats)
    return block


def _cut(block: TextBlock, metrics: QFontMetricsF, width: float, step: float, formats: Formats) -> None:
    """If the text has more lines, replace the last one by an elided line with a layout of its own.

    A second layout of the whole text takes as long as the first: 10 ms for 8,000 letters of rare scripts.
    """
    layout = block.layout
    last = layout.lineAt(layout.lineCount() - 1)
    units = layout.text().encode("utf-16-le", "surrogatepass")
    start, end = last.textStart(), last.textStart() + last.textLength()
    if 2 * end >= len(units):
        return
    moved = (replace(one, start=one.start - start) for one in formats if one.start + one.length > start)
    kept_formats = tuple(replace(one, start=max(0, one.start), length=one.length + min(0, one.start)) for one in moved)
    words = units[2 * start :].decode("utf-16-le", "replace").replace("\u2028", " ")[:400]
    if any(one.bold for one in kept_formats):  # bold letters are wider, and the … must fit
        heavy = QFont(layout.font())
        heavy.setWeight(QFont.Weight.DemiBold)
        metrics = QFontMetricsF(heavy)
    words = metrics.elidedText(words, Qt.TextElideMode.ElideRight, width - 2)
    tail = _place(words, layout.font(), width, step, 1, kept_formats, rtl=block.rtl)
    above = (layout.lineAt(number).naturalTextWidth() for number in range(layout.lineCount() - 1))
    block.tail, block.tail_top = tail.layout, last.position().y() - (step - last.height()) / 2
    block.last_width = tail.last_width
    block.width = max((tail.last_width, *above))
    block.height = block.tail_top + tail.height


def head(block: TextBlock, lines: int) -> TextBlock:
    """Return the first lines of a longer block, without a new layout."""
    layout = block.layout
    first, after = layout.lineAt(0), layout.lineAt(lines)
    height = after.position().y() - first.position().y()  # half of a tall line's extra space may be missing
    widths = [layout.lineAt(number).naturalTextWidth() for number in range(lines)]
    return TextBlock(layout, max(widths), height, widths[-1], block.rtl, lines=lines)


def runs_right_to_left(text: str) -> bool:
    """Tell whether the first letter with a direction is right-to-left."""
    for char in text:
        direction = unicodedata.bidirectional(char)
        if direction in {"L", "R", "AL"}:
            return direction != "L"
    return False


def _place(
    text: str,
    font: QFont,
    width: float,
    step: float,
    max_lines: int,
    formats: Formats,
    *,
    rtl: bool | None = None,
) -> TextBlock:
    layout = QTextLayout(text.replace("\n", "\u2028"), font)
    if formats:
        layout.setFormats([_range(one) for one in formats])
    option = QTextOption()
    option.setWrapMode(QTextOption.WrapMode.WrapAtWordBoundaryOrAnywhere)
    rtl = runs_right_to_left(text) if rtl is None else rtl
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
    """Return a format for a part of a layout, in UTF-16 units."""
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
    """Paint a block with its top left corner at `place`; the formats in `marked` are painted over it."""
    painter.setPen(color)
    if block.tail is None and not block.lines:
        block.layout.draw(painter, place, list(marked))
        return
    hidden = block.layout.lineAt(block.lines or block.layout.lineCount() - 1)
    above = QRectF(place.x(), place.y(), max(1.0, block.width), hidden.position().y() - 0.5)
    if block.layout.lineCount() > 1:
        block.layout.draw(painter, place, list(marked), above)  # Qt skips the lines that begin below
    if block.tail is not None:
        block.tail.draw(painter, QPointF(place.x(), place.y() + block.tail_top))


def draw_in(painter: QPainter, text: str, font: QFont, color: QColor, rect: QRectF, max_lines: int) -> float:
    """Lay out and paint a text, never mirrored; return the height in px."""
    block = lay_out(text, font, rect.width(), max_lines)
    painter.save()
    if is_turned(painter):
        mirror(painter, rect)
    draw(painter, block, rect.topLeft(), color)
    painter.restore()
    return block.height
