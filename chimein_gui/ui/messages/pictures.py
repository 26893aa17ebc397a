"""Pictures in a bubble: a photo, an album as a grid, the still of a video; and stickers, which have no bubble."""

from __future__ import annotations

from math import ceil
from typing import TYPE_CHECKING

from PySide6.QtCore import QCoreApplication, QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QImage, QPainterPath

from chimein_gui.ui.messages.parts import Canvas, Hit, HitKind, Part
from chimein_gui.ui.widgets.theme import icons, marks
from chimein_gui.ui.widgets.theme.theme import Face
from chimein_gui.viewmodels.media.still_pictures import PictureState
from chimein_gui.viewmodels.transcript.message_words import length_words, media_words

if TYPE_CHECKING:
    from chimein_gui.domain.messages import Message
    from chimein_gui.ui.widgets.theme.theme import Theme
    from chimein_gui.viewmodels.media.pictures import Pictures

PICTURE = QSize(264, 180)
"""Largest size of a picture, logical pixels."""

STICKER = 96
ROUND = 150
_LEAST = QSize(120, 84)
_CELL_GAP = 3.0
_ROWS = {1: (1,), 2: (2,), 3: (1, 2), 4: (2, 2), 5: (2, 3), 6: (3, 3), 7: (2, 2, 3), 8: (2, 3, 3), 9: (3, 3, 3)}
_MOVING = frozenset({"video", "gif", "round video"})
_GLASS = QColor(0, 0, 0, 150)
_WHITE = QColor("#FFFFFF")
RADIUS = 10.0

translate = QCoreApplication.translate


def placeholder_words(message: Message, state: PictureState) -> str:
    """Return the text of a placeholder for a picture that is not available."""
    if state is PictureState.OFFLINE:
        return translate("BubblePictures", "Not connected")
    if state is PictureState.TOO_BIG:
        return translate("BubblePictures", "Too large to show")
    if state is PictureState.BROKEN and message.media_kind not in _MOVING:
        return translate("BubblePictures", "Can't be shown")
    return media_words(message.media_kind)


def fitted(message: Message) -> QSize:
    """Return the size of a single picture, logical pixels."""
    media = message.media
    if message.media_kind == "round video":
        return QSize(ROUND, ROUND)
    if media is None or media.width <= 0 or media.height <= 0:
        return PICTURE
    share = min(PICTURE.width() / media.width, PICTURE.height() / media.height)
    wide, high = round(media.width * share), round(media.height * share)
    return QSize(max(wide, _LEAST.width()), max(high, _LEAST.height()))


class PicturesPart(Part):
    """One picture, or several as a grid; a click opens one."""

    bleeds = True
    gap = 6.0

    def __init__(
        self, messages: tuple[Message, ...], pictures: Pictures | None, limit: float, *, secrets: bool
    ) -> None:
        self._pictures, self._secrets = pictures, secrets
        self.cells: list[tuple[QRectF, Message]] = []
        if len(messages) == 1:
            size = fitted(messages[0])
            share = min(1.0, limit / size.width())
            self.cells.append((QRectF(0, 0, size.width() * share, size.height() * share), messages[0]))
        else:
            self._arrange(messages, min(float(PICTURE.width()), limit))
        self.width = max(box.right() for box, _ in self.cells)
        self.height = max(box.bottom() for box, _ in self.cells)

    def settle(self, theme: Theme, inner: float) -> None:
        box, message = self.cells[0]
        if len(self.cells) == 1 and message.media_kind != "round video":
            self.cells[0] = (QRectF(0, 0, max(inner, box.width()), box.height()), message)

    def _arrange(self, messages: tuple[Message, ...], width: float) -> None:
        counts = _ROWS.get(len(messages)) or tuple([3] * (len(messages) // 3) + [len(messages) % 3 or 3])
        waiting = iter(messages)
        y = 0.0
        for count in counts:
            wide = (width - _CELL_GAP * (count - 1)) / count
            high = {1: width * 0.56, 2: wide * 0.8}.get(count, wide)
            for place in range(count):
                message = next(waiting, None)
                if message is not None:
                    self.cells.append((QRectF(place * (wide + _CELL_GAP), y, wide, high), message))
            y += high + _CELL_GAP

    def paint(self, canvas: Canvas, rect: QRectF) -> None:
        whole = QPainterPath()
        whole.addRoundedRect(rect, RADIUS, RADIUS)
        canvas.painter.save()
        canvas.painter.setClipPath(whole, Qt.ClipOperation.IntersectClip)
        for box, message in self.cells:
            x = canvas.lead(rect, box.width(), box.left())
            self._paint_one(canvas, QRectF(x, rect.top() + box.top(), box.width(), box.height()), message)
        canvas.painter.restore()

    def _paint_one(self, canvas: Canvas, cell: QRectF, message: Message) -> None:
        hidden = message.media is not None and message.media.has_spoiler and not self._secrets
        image = None if hidden else still_for(self._pictures, canvas, cell, message)
        if image is None:
            state = self._pictures.state(message) if self._pictures is not None else PictureState.WAITING
            words = (
                translate("BubblePictures", "Hidden. Click to show") if hidden else placeholder_words(message, state)
            )
            gone = not hidden and state in {PictureState.BROKEN, PictureState.TOO_BIG} and message.media_kind == "photo"
            icon = "eye-off" if hidden else "image-off" if gone else "image"
            if message.media_kind in _MOVING and not hidden:
                icon = ""
            paint_placeholder(canvas, cell, icon, words)
        else:
            _paint_covering(canvas, image, cell, is_round=message.media_kind == "round video")
        if message.media_kind in _MOVING and not hidden:
            _paint_play(canvas, cell, message)

    def hit(self, at: QPointF, rect: QRectF) -> Hit | None:
        for box, message in self.cells:
            if box.translated(rect.topLeft()).contains(at):
                hidden = message.media is not None and message.media.has_spoiler and not self._secrets
                return Hit(HitKind.SECRET) if hidden else Hit(HitKind.MEDIA, message=message)
        return None


def still_for(pictures: Pictures | None, canvas: Canvas, cell: QRectF, message: Message) -> QImage | None:
    """Return the picture at the size that fills a cell; None if it is not available yet."""
    if pictures is None:
        return None
    ratio = canvas.painter.device().devicePixelRatioF()
    media = message.media
    wide, high = cell.width() * ratio, cell.height() * ratio
    if media is not None and media.width > 0 and media.height > 0:
        share = max(wide / media.width, high / media.height)
        wide, high = min(media.width * share, wide * 4), min(media.height * share, high * 4)
    return asked(pictures, canvas, message, QSize(ceil(wide), ceil(high)))


def asked(pictures: Pictures, canvas: Canvas, message: Message, size: QSize) -> QImage | None:
    """Request a picture at a size in device pixels; None while it is not available.

    If it may still arrive, its message is added to `canvas.waiting`, so that the painted row is not cached.
    """
    found = pictures.still(message, size)
    if found is None and pictures.state(message) in {PictureState.WAITING, PictureState.READY}:
        canvas.waiting.append(message)
    return found


def _paint_covering(canvas: Canvas, image: QImage, cell: QRectF, *, is_round: bool) -> None:
    """Fill a cell with the centre of a picture."""
    share = max(cell.width() / image.width(), cell.height() / image.height())
    wide, high = cell.width() / share, cell.height() / share
    source = QRectF((image.width() - wide) / 2, (image.height() - high) / 2, wide, high)
    painter = canvas.painter
    painter.save()
    painter.setRenderHint(painter.RenderHint.SmoothPixmapTransform)
    if is_round:
        circle = QPainterPath()
        circle.addEllipse(cell)
        painter.setClipPath(circle, Qt.ClipOperation.IntersectClip)
    painter.drawImage(cell, image, source)
    painter.restore()


def paint_placeholder(canvas: Canvas, cell: QRectF, icon: str, words: str) -> None:
    """Fill a cell with an icon and a text, as far as they fit."""
    painter, theme = canvas.painter, canvas.theme
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(theme.color("track"))
    painter.drawRect(cell)
    has_words = cell.height() >= 70 and cell.width() >= 90
    middle = cell.center().y() - (12 if has_words else 0)
    if icon:
        icons.draw(painter, icon, theme.color("text2"), QRectF(cell.center().x() - 12, middle - 12, 24, 24))
    if has_words:
        metrics = theme.metrics(Face.SMALL)
        below = middle + (28 if icon else 44)
        width = min(metrics.horizontalAdvance(words) + 1, cell.width() - 16)
        left = QPointF(cell.center().x() - width / 2, below)
        marks.draw_line(painter, theme.font(Face.SMALL), theme.color("text2"), left, words, width)


def _paint_play(canvas: Canvas, cell: QRectF, message: Message) -> None:
    painter = canvas.painter
    size = 40.0 if min(cell.width(), cell.height()) >= 80 else 28.0
    circle = QRectF(cell.center().x() - size / 2, cell.center().y() - size / 2, size, size)
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(_GLASS)
    painter.drawEllipse(circle)
    icons.draw(painter, "play", _WHITE, circle.adjusted(size / 4, size / 4, -size / 4, -size / 4))
    duration = message.media.duration_s if message.media is not None else 0.0
    words = "GIF" if message.media_kind == "gif" else length_words(duration) if duration else ""
    if words:
        paint_pill(canvas, cell.topLeft() + QPointF(6, 6), words, on_picture=True)


def paint_pill(canvas: Canvas, place: QPointF, words: str, *, on_picture: bool) -> QRectF:
    """Paint a short text in a pill with its top left corner at `place`; return its rectangle."""
    painter, theme = canvas.painter, canvas.theme
    metrics = theme.metrics(Face.META)
    box = QRectF(place.x(), place.y(), metrics.horizontalAdvance(words) + 14, metrics.height() + 5)
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(_GLASS if on_picture else theme.color("track"))
    painter.drawRoundedRect(box, box.height() / 2, box.height() / 2)
    ink = _WHITE if on_picture else theme.color("text2")
    marks.draw_line(painter, theme.font(Face.META), ink, QPointF(box.left() + 7, box.center().y()), words)
    return box


class StickerPart(Part):
    """A sticker. For an animated one it paints nothing: the view paints the frames."""

    gap = 2.0

    def __init__(self, message: Message, pictures: Pictures | None) -> None:
        self.message, self._pictures = message, pictures
        self.width = self.height = float(STICKER)
        self.moves = False
        """The view paints its frames."""

    def box(self, canvas: Canvas, rect: QRectF) -> QRectF:
        """Return the sticker's rectangle within the part."""
        end = rect.right() - STICKER if canvas.out is not canvas.mirrored else rect.left()
        return QRectF(end, rect.top(), STICKER, STICKER)

    def paint(self, canvas: Canvas, rect: QRectF) -> None:
        if self.moves:
            return
        box = self.box(canvas, rect)
        image = None
        state = PictureState.WAITING
        if self._pictures is not None:
            ratio = canvas.painter.device().devicePixelRatioF()
            side = ceil(STICKER * ratio)
            image = asked(self._pictures, canvas, self.message, QSize(side, side))
            state = self._pictures.state(self.message)
        if image is not None:
            draw_sticker(canvas, image, box)
        else:
            self._paint_emoji(canvas, box, placeholder_words(self.message, state))

    def _paint_emoji(self, canvas: Canvas, box: QRectF, words: str) -> None:
        """Paint the sticker's emoji instead of an empty box."""
        painter, theme = canvas.painter, canvas.theme
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(theme.color("track"))
        painter.drawRoundedRect(box, RADIUS, RADIUS)
        emoji = sticker_emoji(self.message)
        if emoji:
            font = theme.font(Face.TITLE)
            font.setPixelSize(34)
            painter.setFont(font)
            painter.setPen(theme.color("text1"))
            painter.drawText(box.adjusted(0, 6, 0, -26), int(Qt.AlignmentFlag.AlignCenter), emoji)
        canvas_line = QRectF(box.left() + 6, box.bottom() - 24, box.width() - 12, 18)
        canvas.line(Face.META, "text2", canvas_line, words)

    def hit(self, at: QPointF, rect: QRectF) -> Hit | None:
        return None


def sticker_emoji(message: Message) -> str:
    """Return the emoji of a sticker, cut to one."""
    from chimein_gui.ui.widgets.text import foreign_text

    return foreign_text.short(message.media.emoji, 2) if message.media is not None and message.media.emoji else ""


def draw_sticker(canvas: Canvas, image: QImage, box: QRectF) -> None:
    """Paint a whole sticker, centred in a box."""
    share = min(box.width() / image.width(), box.height() / image.height())
    wide, high = image.width() * share, image.height() * share
    place = QRectF(box.center().x() - wide / 2, box.center().y() - high / 2, wide, high)
    painter = canvas.painter
    painter.save()
    painter.setRenderHint(painter.RenderHint.SmoothPixmapTransform)
    painter.drawImage(place, image, QRectF(image.rect()))
    painter.restore()
