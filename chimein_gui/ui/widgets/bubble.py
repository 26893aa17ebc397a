"""One painter for messages, wherever they are shown: measured once, painted often."""

from __future__ import annotations

from dataclasses import dataclass

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPainterPath, QPen

from chimein_gui.ui.widgets import foreign_text, icons, marks, text_block
from chimein_gui.ui.widgets.text_block import TextBlock
from chimein_gui.ui.widgets.theme import Face, Theme

MAX_WIDTH = 440.0
PAD_X, PAD_Y = 12.0, 8.0
RADIUS, TAIL = 14.0, 4.0
QUOTE_GAP = 7.0
TICKS = 15.0


@dataclass(frozen=True, slots=True)
class Quote:
    """The message a bubble answers.

    Attributes:
        who: Its author.
        text: Its first line.
        color: Of bar and name.
    """

    who: str
    text: str
    color: QColor


@dataclass(frozen=True, slots=True)
class BubbleText:
    """What a bubble says.

    Attributes:
        text: Body, untouched foreign text.
        meta: Words of the last line, such as "edited 14:31".
        out: Ours, at the right.
        read: The partner has read it.
        faint: Words of ours that stand for a message (deleted, service, media).
        quote: What it answers.
        tick: Whether a delivery tick is drawn.
        author: Who wrote it, above the text; empty where that is clear.
        author_color: Of that name.
    """

    text: str
    meta: str
    out: bool
    read: bool = False
    faint: bool = False
    quote: Quote | None = None
    tick: bool = True
    author: str = ""
    author_color: QColor | None = None


@dataclass(slots=True)
class Bubble:
    """A measured bubble."""

    said: BubbleText
    body: TextBlock
    width: float
    height: float


def quote_height(theme: Theme) -> float:
    """Return how high a quote is: two lines and its padding."""
    return theme.metrics(Face.SMALL).height() * 2 + 8


def author_height(theme: Theme) -> float:
    """Return how high the line with the author's name is."""
    return round(theme.metrics(Face.SMALL_STRONG).height() + 2)


def measure(theme: Theme, said: BubbleText, room: float) -> Bubble:
    """Lay a bubble out for a row that is `room` wide."""
    limit = max(120.0, min(MAX_WIDTH, room * 0.76)) - 2 * PAD_X
    font = theme.font(Face.BODY)
    text = foreign_text.body(said.text)
    body = text_block.lay_out(text, font, limit)
    meta_width = theme.metrics(Face.META).horizontalAdvance(said.meta) + 10
    meta_width += TICKS + 3 if said.out and said.tick else 0
    inner = max(body.width, 24.0)
    beside = not body.rtl and body.last_width + meta_width <= limit
    inner = max(inner, body.last_width + meta_width) if beside else max(inner, meta_width)
    if said.quote is not None:
        metrics = theme.metrics(Face.SMALL)
        wish = max(metrics.horizontalAdvance(said.quote.text), metrics.horizontalAdvance(said.quote.who)) + 24
        inner = max(inner, min(limit, max(wish, 160.0)))
    if said.author:
        inner = max(inner, min(limit, theme.metrics(Face.SMALL_STRONG).horizontalAdvance(said.author) + 2))
    inner = min(limit, round(inner + 0.5))
    if body.rtl:
        body = text_block.lay_out(text, font, inner)  # right-aligned lines must know where right is
    height = 2 * PAD_Y + body.height
    if not beside:
        height += theme.metrics(Face.META).height()
    if said.author:
        height += author_height(theme)
    if said.quote is not None:
        height += quote_height(theme) + QUOTE_GAP
    return Bubble(said, body, inner + 2 * PAD_X, height)


def paint(painter: QPainter, theme: Theme, bubble: Bubble, place: QPointF, *, selected: bool = False) -> None:
    """Paint a bubble with its top left corner at `place`."""
    rect = QRectF(place.x(), place.y(), bubble.width, bubble.height)
    painter.save()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    edge = theme.color("accent") if selected else theme.color("line")
    light_in = not bubble.said.out and not theme.tokens.dark
    painter.setPen(QPen(edge, 1.5 if selected else 1) if selected or light_in else Qt.PenStyle.NoPen)
    painter.setBrush(theme.color("out_bubble" if bubble.said.out else "in_bubble"))
    painter.drawPath(outline(rect.adjusted(0.5, 0.5, -0.5, -0.5), tail_right=bubble.said.out))
    y = rect.top() + PAD_Y
    if bubble.said.author:
        middle = QPointF(rect.left() + PAD_X, y + theme.metrics(Face.SMALL_STRONG).height() / 2)
        ink = bubble.said.author_color or theme.color("text2")
        width = rect.width() - 2 * PAD_X
        marks.draw_line(painter, theme.font(Face.SMALL_STRONG), ink, middle, bubble.said.author, width)
        y += author_height(theme)
    if bubble.said.quote is not None:
        box = QRectF(rect.left() + PAD_X - 2, y + 1, rect.width() - 2 * PAD_X + 4, quote_height(theme))
        paint_quote(painter, theme, bubble.said.quote, box)
        y += box.height() + QUOTE_GAP
    ink = theme.color("text2" if bubble.said.faint else "text1")
    text_block.draw(painter, bubble.body, QPointF(rect.left() + PAD_X, y), ink)
    _paint_meta(painter, theme, bubble, rect)
    painter.restore()


def paint_quote(painter: QPainter, theme: Theme, quote: Quote, box: QRectF) -> None:
    """Paint what a message answers: a bar, a name, one line."""
    ground = QColor(theme.tokens.text1)
    ground.setAlphaF(0.07)
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(ground)
    painter.drawRoundedRect(box, 4, 4)
    painter.setBrush(quote.color)
    painter.drawRect(QRectF(box.left(), box.top(), 3, box.height()))
    line = theme.metrics(Face.SMALL).height()
    width = box.width() - 20
    top = box.top() + 4 + line / 2
    marks.draw_line(
        painter, theme.font(Face.SMALL_STRONG), quote.color, QPointF(box.left() + 11, top), quote.who, width
    )
    marks.draw_line(
        painter, theme.font(Face.SMALL), theme.color("text2"), QPointF(box.left() + 11, top + line), quote.text, width
    )


def outline(rect: QRectF, *, tail_right: bool) -> QPainterPath:
    """Return a rounded rectangle whose lower corner at the speaker's side is nearly square."""
    path = QPainterPath()
    path.addRoundedRect(rect, min(RADIUS, rect.height() / 2), min(RADIUS, rect.height() / 2))
    corner = QPainterPath()
    size = min(RADIUS, rect.height() / 2)
    left = rect.right() - size if tail_right else rect.left()
    corner.addRoundedRect(QRectF(left, rect.bottom() - size, size, size), TAIL, TAIL)
    return path.united(corner)


def _paint_meta(painter: QPainter, theme: Theme, bubble: Bubble, rect: QRectF) -> None:
    font = theme.font(Face.META)
    metrics = theme.metrics(Face.META)
    middle = rect.bottom() - PAD_Y - metrics.height() / 2 + 1
    right = rect.right() - PAD_X
    if bubble.said.out and bubble.said.tick:
        name, token = ("ticks", "ok") if bubble.said.read else ("check", "text2")
        size = TICKS if bubble.said.read else 12.0
        icons.draw(painter, name, theme.color(token), QRectF(right - size, middle - size / 2, size, size))
        right -= TICKS + 3
    left = right - metrics.horizontalAdvance(bubble.said.meta)
    marks.draw_line(painter, font, theme.color("text2"), QPointF(left, middle), bubble.said.meta)
