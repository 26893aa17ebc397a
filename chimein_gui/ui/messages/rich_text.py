"""A message's formatted text: laid out once, painted often, and asked what is under the mouse.

Quotes, code blocks and changes of direction start separate blocks; all other formatting is a text style.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from itertools import islice
from typing import TYPE_CHECKING

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QTextCharFormat, QTextLayout, QTextLine

from chimein_gui.ui.messages.text_runs import Run, RunKind, Stretch, runs_of
from chimein_gui.ui.widgets.text import text_block
from chimein_gui.ui.widgets.theme.theme import Face, Theme

if TYPE_CHECKING:
    from chimein_gui.domain.messages import Message
    from chimein_gui.ui.widgets.text.text_block import Format, TextBlock

FOLD_ABOVE, FOLD_TO = 70, 40
"""A text with more lines than the first number is cut to the second. Ordinary messages of full length have fewer."""

MOST_MARKS = 40
"""Most highlighted places in one run."""

INDENT = 11.0
_GAP = 4.0
_LINKS = frozenset(
    {"url", "text_url", "email", "phone", "mention", "mention_name", "hashtag", "cashtag", "bot_command"}
)


@dataclass(frozen=True, slots=True)
class Placed:
    """A run with its position.

    Attributes:
        run: The text, and which parts of it can be clicked.
        block: The laid-out lines.
        y: Top edge, px.
        indent: Distance from the leading edge, px.
    """

    run: Run
    block: TextBlock
    y: float
    indent: float


@dataclass(frozen=True, slots=True)
class RichText:
    """A laid-out text; sizes in logical pixels.

    Attributes:
        placed: Its runs, from the top.
        width: Width of the widest line.
        height: Height of all lines.
        last_width: Width of the last line, beside which the time may fit; 0 if nothing can stand there.
        rtl: The last line is right-to-left.
        folded: Only the first lines are shown.
    """

    placed: tuple[Placed, ...]
    width: float
    height: float
    last_width: float
    rtl: bool
    folded: bool

    @property
    def has_rtl(self) -> bool:
        """Whether a run is right-to-left, so that its layout depends on the right edge."""
        return any(one.block.rtl for one in self.placed)


def lay_out(
    theme: Theme, message: Message, width: float, *, out: bool, secrets: bool = False, whole: bool = False
) -> RichText:
    """Lay the text of a message out.

    Args:
        theme: Fonts and colours.
        message: The message; its text is foreign and is sanitized here.
        width: Width of the column, px.
        out: Use the colours of our own bubbles.
        secrets: Show spoilers.
        whole: Do not fold long texts.
    """
    runs = runs_of(message.text, message.entities, secrets=secrets)
    placed, lines = _place(theme, runs, width, 0 if whole else FOLD_ABOVE + 1, out=out)
    folded = not whole and lines > FOLD_ABOVE
    if folded:
        placed = _first_lines(placed)
    if not placed:
        return RichText((), 0.0, 0.0, 0.0, False, False)
    last = placed[-1]
    plain = last.run.kind is RunKind.TEXT
    return RichText(
        placed,
        max(one.indent + one.block.width + (INDENT if one.run.kind is RunKind.CODE else 0) for one in placed),
        last.y + last.block.height + (0 if plain else _GAP),
        last.block.last_width if plain else width,
        last.block.rtl,
        folded,
    )


def _place(
    theme: Theme, runs: tuple[Run, ...], width: float, most: int, *, out: bool
) -> tuple[tuple[Placed, ...], int]:
    placed: list[Placed] = []
    y, lines = 0.0, 0
    for run in runs:
        if most and lines >= most:
            break
        special = run.kind is not RunKind.TEXT
        indent = INDENT if special else 0.0
        room = width - indent - (INDENT if run.kind is RunKind.CODE else 0)
        formats = tuple(made for one in run.stretches if (made := _format(theme, one, out=out)) is not None)
        left = most - lines if most else 0
        block = text_block.lay_out(run.text, theme.font(Face.BODY), room, left, formats)
        y += _GAP if special and placed else 0
        placed.append(Placed(run, block, y + (2 if special else 0), indent))
        y += block.height + (_GAP + 2 if special else 0)
        lines += block.layout.lineCount()
    return tuple(placed), lines


def _first_lines(placed: tuple[Placed, ...]) -> tuple[Placed, ...]:
    """Return the runs of a folded text, cut to the lines that are shown."""
    shown: list[Placed] = []
    left = FOLD_TO
    for one in placed:
        count = one.block.layout.lineCount()
        if count > left:
            shown.append(replace(one, block=text_block.head(one.block, left)))
            break
        shown.append(one)
        left -= count
        if not left:
            break
    return tuple(shown)


def _format(theme: Theme, one: Stretch, *, out: bool) -> Format | None:
    kinds = one.kinds
    ink = ground = None
    if one.hidden:
        ink = ground = backdrop(theme, out=out).rgba()
    elif kinds & _LINKS:
        ink = theme.color("accent_text").rgba()
    elif "spoiler" in kinds or ("code" in kinds and "pre" not in kinds):
        ground = shade(theme).rgba()
    return text_block.Format(
        one.start,
        one.length,
        bold="bold" in kinds,
        italic="italic" in kinds,
        underline="underline" in kinds or "text_url" in kinds,
        strike="strike" in kinds,
        mono=bool(kinds & {"code", "pre"}),
        ink=ink,
        ground=ground,
    )


def backdrop(theme: Theme, *, out: bool) -> QColor:
    """Return the colour that covers a spoiler, which its letters have too, so that they can't be seen."""
    from chimein_gui.ui.widgets.theme.theme import blend

    return blend(theme.color("out_bubble" if out else "in_bubble"), theme.color("text1"), 0.42)


def shade(theme: Theme) -> QColor:
    """Return the background of code and quotes: the text colour with an alpha of 7 %."""
    tint = QColor(theme.tokens.text1)
    tint.setAlphaF(0.07)
    return tint


def draw(
    painter: QPainter, theme: Theme, rich: RichText, box: QRectF, ink: QColor, words: tuple[str, ...] = ()
) -> None:
    """Paint a text with its top left corner at that of `box`; `words` are highlighted."""
    for one in rich.placed:
        place = QPointF(box.left() + (0 if one.block.rtl else one.indent), box.top() + one.y)
        if one.run.kind is not RunKind.TEXT:
            _draw_ground(painter, theme, one, box)
        text_block.draw(painter, one.block, place, ink, _marked(theme, one.block.layout.text(), words))


def _draw_ground(painter: QPainter, theme: Theme, one: Placed, box: QRectF) -> None:
    rect = QRectF(box.left(), box.top() + one.y - 2, box.width(), one.block.height + 4)
    painter.save()
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(shade(theme))
    painter.drawRoundedRect(rect, 4, 4)
    if one.run.kind is RunKind.QUOTE:
        painter.setBrush(theme.color("accent_text"))
        painter.drawRect(QRectF(rect.right() - 3 if one.block.rtl else rect.left(), rect.top(), 3, rect.height()))
    painter.restore()


def _marked(theme: Theme, text: str, words: tuple[str, ...]) -> list[QTextLayout.FormatRange]:
    if not words or not text:
        return []
    look = QTextCharFormat()
    look.setBackground(theme.color("accent"))
    look.setForeground(theme.color("on_accent"))
    # Adjacent hits become one mark, because Qt takes 1 ms for each.
    every = re.compile(f"(?:{'|'.join(re.escape(word) for word in words)})+", re.IGNORECASE)
    return [
        text_block.stretch(_units(text[: hit.start()]), _units(hit.group()), look)
        for hit in islice(every.finditer(text), MOST_MARKS)
    ]


def _units(text: str) -> int:
    return len(text.encode("utf-16-le", "surrogatepass")) // 2


def stretch_at(rich: RichText, at: QPointF) -> Stretch | None:
    """Return the clickable stretch at a point in the text's coordinates, or None."""
    for one in rich.placed:
        inside = QPointF(at.x() - (0 if one.block.rtl else one.indent), at.y() - one.y)
        if not 0 <= inside.y() <= one.block.height:
            continue
        line = _line_at(one.block.layout, inside)
        if line is None:
            return None
        place = line.xToCursor(inside.x(), QTextLine.CursorPosition.CursorOnCharacter)
        for stretch in one.run.stretches:
            if stretch.start <= place < stretch.start + stretch.length and stretch.can_be_pressed:
                return stretch
        return None
    return None


def _line_at(layout: QTextLayout, at: QPointF) -> QTextLine | None:
    for number in range(layout.lineCount()):
        line = layout.lineAt(number)
        rect = line.naturalTextRect()
        if rect.top() - 2 <= at.y() <= rect.bottom() + 2 and rect.left() <= at.x() <= rect.right():
            return line
    return None
