"""Measures and paints messages, the same in a transcript, on a card and in a draft. A message is measured once."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from PySide6.QtCore import QPointF, QRectF, QSizeF, Qt
from PySide6.QtGui import QColor, QPainter, QPainterPath, QPen

from chimein_gui.ui.messages.contents import parts_of
from chimein_gui.ui.messages.parts import Canvas, Hit, Part, QuotePart, TextPart
from chimein_gui.ui.messages.pictures import STICKER, PicturesPart, StickerPart, paint_pill
from chimein_gui.ui.messages.setting import Quote, Setting
from chimein_gui.ui.widgets.theme import icons, marks
from chimein_gui.ui.widgets.theme.control_colours import Role, State, colours_of
from chimein_gui.ui.widgets.theme.theme import Face, Theme
from chimein_gui.viewmodels.transcript.message_words import time_words

if TYPE_CHECKING:
    from chimein_gui.viewmodels.media.pictures import Pictures
    from chimein_gui.viewmodels.transcript.rows import TranscriptRow

__all__ = [
    "MAX_WIDTH",
    "Bubble",
    "BubblePainter",
    "paint_quote",
    "quote_height",
]

MAX_WIDTH = 440.0
SHARE = 0.72
"""Largest width of a bubble as a share of the column, unless MAX_WIDTH is less."""

LEAST_WIDTH = 200.0
PAD_X, PAD_Y = 12.0, 8.0
EDGE = 4.0
"""Margin of a bubble around a picture, px."""

RADIUS, TAIL = 14.0, 4.0
TICKS = 15.0
_MOST_ADVANCES = 3000
"""Most cached widths of the last line's text; measuring one takes 0.05 ms."""

_PILL_GAP, _PILL_PAD = 6.0, 14.0


@dataclass(slots=True)
class Bubble:
    """A measured message.

    Attributes:
        row: The message.
        width: Logical pixels.
        height: Logical pixels.
        parts: Its parts, with their rectangles from 0, 0.
        meta: The text of its last line: the time and the status.
        meta_over: The time is drawn in a pill, over a picture or beside a sticker.
        bare: It is drawn without a bubble.
        meta_follows: The time follows the last line of a left-to-right text.
    """

    row: TranscriptRow
    width: float
    height: float
    parts: tuple[tuple[Part, QRectF], ...]
    meta: str
    meta_over: bool
    bare: bool
    meta_follows: bool = False

    def hit(self, at: QPointF) -> Hit | None:
        """Return what a click at a point in the bubble's coordinates would do, or None."""
        for part, rect in self.parts:
            if rect.contains(at):
                return part.hit(at, rect)
        return None

    @property
    def sticker(self) -> tuple[StickerPart, QRectF] | None:
        """Its sticker with the rectangle; None if it is no sticker."""
        return next(((part, rect) for part, rect in self.parts if isinstance(part, StickerPart)), None)


class BubblePainter:
    """Measures and paints one message: the same in a transcript, on a card and in a draft."""

    def __init__(self, theme: Theme, pictures: Pictures | None = None) -> None:
        """Create a painter.

        Args:
            theme: Colours and fonts.
            pictures: Provides photos and stickers; None paints placeholders.
        """
        self._theme, self._pictures = theme, pictures
        self._advances: dict[tuple[str, int], float] = {}

    def measure(self, row: TranscriptRow, room: float, setting: Setting = Setting()) -> Bubble:  # noqa: B008 - frozen
        """Lay a message out in a column that is `room` px wide; the result has its width and height."""
        theme = self._theme
        limit = max(min(LEAST_WIDTH, room), min(MAX_WIDTH, room * SHARE)) - 2 * PAD_X
        parts = parts_of(theme, row, setting, limit, self._pictures)
        meta = time_words(row)
        bare = any(isinstance(part, StickerPart) for part in parts)
        over = bare or (bool(parts) and isinstance(parts[-1], PicturesPart))
        meta_width = self._meta_width(row, meta)
        widths = [part.width - 2 * (PAD_X - EDGE) if part.bleeds else part.width for part in parts]
        inner = min(limit, max(24.0, *widths))
        beside = None if over or not parts or not meta_width else parts[-1].beside(inner, meta_width + 10)
        if beside is not None:
            inner = beside
        elif not over:
            inner = max(inner, meta_width)
        inner = min(limit, round(inner + 0.5))
        if bare:  # the time is beside the sticker
            inner = max(inner, STICKER + _PILL_GAP + meta_width + _PILL_PAD)
        for part in parts:
            part.settle(theme, inner + 2 * (PAD_X - EDGE) if part.bleeds else inner)
        pad = 0.0 if bare else PAD_X
        placed, height = _stack(parts, inner, pad)
        if beside is None and not over and meta_width:
            height += theme.metrics(Face.META).height() + 1
        follows = beside is not None and isinstance(parts[-1], TextPart)
        return Bubble(row, inner + 2 * pad, height, placed, meta, over, bare, follows)

    def paint(
        self,
        painter: QPainter,
        bubble: Bubble,
        place: QPointF,
        *,
        selected: bool = False,
        words: tuple[str, ...] = (),
        mirrored: bool = False,
    ) -> bool:
        """Paint a measured message with its top left corner at `place`.

        Args:
            painter: The painter of the view.
            bubble: From `measure`.
            place: Its top left corner.
            selected: Draw a frame in the accent colour.
            words: Search words, which are highlighted.
            mirrored: The layout is right-to-left.

        Returns:
            False if pictures are still being loaded.
        """
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        out = bubble.row.message.out
        canvas = Canvas(painter, self._theme, out, words, mirrored)
        rect = QRectF(place, QSizeF(bubble.width, bubble.height))
        if not bubble.bare:
            self._paint_ground(painter, rect, out=out, right=out is not mirrored, selected=selected)
        elif selected:
            painter.setPen(QPen(self._edge(selected=True), 1.5))
            painter.drawRoundedRect(rect.adjusted(0.5, 0.5, -0.5, -0.5), 10, 10)
        for part, box in bubble.parts:
            part.paint(canvas, box.translated(place))
        if bubble.bare:
            self._paint_pill_beside(canvas, bubble, rect)
        elif bubble.meta_over:
            self._paint_pill_over(canvas, bubble, rect)
        else:
            self._paint_meta(canvas, bubble, rect)
        painter.restore()
        return not canvas.waiting

    def _paint_ground(self, painter: QPainter, rect: QRectF, *, out: bool, right: bool, selected: bool) -> None:
        theme = self._theme
        edge = self._edge(selected=selected)
        light_in = not out and not theme.tokens.dark
        painter.setPen(QPen(edge, 1.5 if selected else 1) if selected or light_in else Qt.PenStyle.NoPen)
        painter.setBrush(theme.color("out_bubble" if out else "in_bubble"))
        painter.drawPath(outline(rect.adjusted(0.5, 0.5, -0.5, -0.5), tail_right=right))

    def _edge(self, *, selected: bool) -> QColor:
        return colours_of(self._theme, Role.CARD, State(checked=selected)).edge

    # --- the time -------------------------------------------------------------------------------------------------

    def _meta_width(self, row: TranscriptRow, meta: str) -> float:
        key = (meta, self._theme.percent)
        width = self._advances.get(key)
        if width is None:
            if len(self._advances) > _MOST_ADVANCES:
                self._advances.clear()
            width = self._advances[key] = self._theme.metrics(Face.META).horizontalAdvance(meta)
        if row.planned or row.message.out or row.message.deleted:
            width += TICKS + 3
        return width

    def _icon_of(self, row: TranscriptRow) -> tuple[str, str, float] | None:
        """Return icon, colour and size of the status icon behind the time, or None."""
        if row.message.deleted:
            return "trash", "text2", 12.0
        if row.planned:
            return "clock", "text2", 12.0
        if row.message.out:
            return ("ticks", "ok", TICKS) if row.read else ("check", "text2", 12.0)
        return None

    def _paint_meta(self, canvas: Canvas, bubble: Bubble, rect: QRectF) -> None:
        theme, painter = self._theme, canvas.painter
        metrics = theme.metrics(Face.META)
        middle = rect.bottom() - PAD_Y - metrics.height() / 2 + 1
        right = rect.right() - PAD_X
        width = self._meta_width(bubble.row, bubble.meta)
        x = rect.left() + PAD_X if canvas.mirrored and not bubble.meta_follows else right - width
        marks.draw_line(painter, theme.font(Face.META), theme.color("text2"), QPointF(x, middle), bubble.meta)
        icon = self._icon_of(bubble.row)
        if icon is not None:
            name, token, size = icon
            end = x + width
            icons.draw(painter, name, theme.color(token), QRectF(end - size, middle - size / 2, size, size))

    def _pill_words(self, row: TranscriptRow, meta: str) -> str:
        if not row.message.out or row.planned:
            return meta
        return f"{meta} ✓✓" if row.read else f"{meta} ✓"

    def _paint_pill_over(self, canvas: Canvas, bubble: Bubble, rect: QRectF) -> None:
        words = self._pill_words(bubble.row, bubble.meta)
        if not words:
            return
        metrics = self._theme.metrics(Face.META)
        width, height = metrics.horizontalAdvance(words) + 14, metrics.height() + 5
        x = rect.left() + EDGE + 6 if canvas.mirrored else rect.right() - EDGE - 6 - width
        paint_pill(canvas, QPointF(x, rect.bottom() - EDGE - 6 - height), words, on_picture=True)

    def _paint_pill_beside(self, canvas: Canvas, bubble: Bubble, rect: QRectF) -> None:
        words = self._pill_words(bubble.row, bubble.meta)
        found = bubble.sticker
        if not words or found is None:
            return
        part, box = found
        where = part.box(canvas, box.translated(rect.topLeft()))
        metrics = self._theme.metrics(Face.META)
        width = metrics.horizontalAdvance(words) + 14
        at_left = canvas.out is not canvas.mirrored
        x = where.left() - _PILL_GAP - width if at_left else where.right() + _PILL_GAP
        paint_pill(canvas, QPointF(x, where.bottom() - metrics.height() - 5), words, on_picture=False)


def _stack(parts: list[Part], inner: float, pad: float) -> tuple[tuple[tuple[Part, QRectF], ...], float]:
    """Place the parts below each other; return their rectangles and the height of the bubble."""
    placed = []
    y = EDGE if parts and parts[0].bleeds else PAD_Y
    for number, part in enumerate(parts):
        left, width = (EDGE, inner + 2 * (PAD_X - EDGE)) if part.bleeds else (pad, inner)
        placed.append((part, QRectF(left, y, width, part.height)))
        y += part.height + (part.gap if number + 1 < len(parts) else 0)
    return tuple(placed), y + (EDGE if parts and parts[-1].bleeds else PAD_Y)


def outline(rect: QRectF, *, tail_right: bool) -> QPainterPath:
    """Return a rounded rectangle with a nearly square lower corner at the sender's side."""
    path = QPainterPath()
    path.addRoundedRect(rect, min(RADIUS, rect.height() / 2), min(RADIUS, rect.height() / 2))
    corner = QPainterPath()
    size = min(RADIUS, rect.height() / 2)
    left = rect.right() - size if tail_right else rect.left()
    corner.addRoundedRect(QRectF(left, rect.bottom() - size, size, size), TAIL, TAIL)
    return path.united(corner)


def quote_height(theme: Theme) -> float:
    """Return the height of a quote: two lines and the padding, px."""
    return QuotePart(theme, "Name", "", QColor()).height


def paint_quote(painter: QPainter, theme: Theme, quote: Quote, box: QRectF, *, mirrored: bool = False) -> None:
    """Paint the message that is replied to: a bar, a name, one line."""
    part = QuotePart(theme, quote.who, quote.text, quote.color)
    part.paint(Canvas(painter, theme, out=False, mirrored=mirrored), box.adjusted(2, -1, -2, -1))
