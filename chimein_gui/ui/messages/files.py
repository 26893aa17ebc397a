"""The part for files and other media that are shown as an icon with two lines."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QCoreApplication, QPointF, QRectF, Qt

from chimein_gui.ui.messages.parts import Canvas, Hit, HitKind, Part
from chimein_gui.ui.widgets.text import foreign_text
from chimein_gui.ui.widgets.theme import icons, marks
from chimein_gui.ui.widgets.theme.theme import Face, Theme
from chimein_gui.viewmodels.transcript.message_words import length_words, media_words, size_words

if TYPE_CHECKING:
    from chimein_gui.domain.messages import Message

TILE = 38.0
_GAP = 10.0
_BAR, _BAR_GAP, _BARS = 3.0, 2.0, 34
_ICONS = {
    "voice": "play",
    "audio": "music",
    "document": "file",
    "location": "pin",
    "geo": "pin",
    "contact": "person",
    "poll": "poll",
    "video": "video",
}
WITH_FILES = frozenset({"voice", "audio", "document"})
"""Media kinds with a file that a click opens, after a question."""

translate = QCoreApplication.translate


class FilePart(Part):
    """A file, a voice message, a contact, a place, a poll, or media of an unknown kind."""

    gap = 4.0

    def __init__(self, theme: Theme, message: Message, limit: float, *, fetching: bool = False) -> None:
        self._message, self._fetching = message, fetching
        self._title, self._below = _lines(message)
        if fetching:
            self._below = translate("BubbleFiles", "Loading…")
        wanted = max(
            theme.metrics(Face.STRONG).horizontalAdvance(self._title),
            theme.metrics(Face.SMALL).horizontalAdvance(self._below),
            (_BAR + _BAR_GAP) * _BARS if self._has_bars else 120.0,
        )
        self.width = min(limit, TILE + _GAP + wanted + 2)
        self.height = max(TILE, theme.metrics(Face.STRONG).height() + theme.metrics(Face.SMALL).height() + 2) + 2

        self._last = TILE + _GAP + theme.metrics(Face.SMALL).horizontalAdvance(self._below)
        self._limit = limit

    def beside(self, inner: float, meta: float) -> float | None:
        return max(inner, self._last + meta) if self._last + meta <= self._limit else None

    @property
    def _has_bars(self) -> bool:
        return self._message.media_kind == "voice"

    def paint(self, canvas: Canvas, rect: QRectF) -> None:
        painter, theme = canvas.painter, canvas.theme
        tile = QRectF(canvas.lead(rect, TILE), rect.top() + 1, TILE, TILE)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(theme.color("accent"))
        radius = TILE / 2 if self._has_bars else 8.0
        painter.drawRoundedRect(tile, radius, radius)
        icon = "hourglass" if self._fetching else _ICONS.get(self._message.media_kind, "question")
        icons.draw(painter, icon, theme.color("on_accent"), tile.adjusted(9, 9, -9, -9))
        lead = TILE + _GAP
        box = rect.adjusted(0, 0, -lead, 0) if canvas.mirrored else rect.adjusted(lead, 0, 0, 0)
        first = theme.metrics(Face.STRONG).height()
        second = theme.metrics(Face.SMALL).height()
        y = rect.top() + (rect.height() - first - second) / 2
        upper = QRectF(box.left(), y, box.width(), first)
        if self._has_bars:
            _paint_bars(canvas, upper, self._message)
        else:
            self._paint_title(canvas, upper)
        canvas.line(Face.SMALL, "text2", QRectF(box.left(), y + first, box.width(), second), self._below)

    def _paint_title(self, canvas: Canvas, box: QRectF) -> None:
        metrics = canvas.theme.metrics(Face.STRONG)
        # The name is elided in the middle, because its end tells the type.
        shown = metrics.elidedText(self._title, Qt.TextElideMode.ElideMiddle, box.width())
        width = min(metrics.horizontalAdvance(shown), box.width())
        left = box.right() - width if canvas.mirrored else box.left()
        ink = canvas.theme.color("text1")
        marks.draw_line(canvas.painter, canvas.theme.font(Face.STRONG), ink, QPointF(left, box.center().y()), shown)

    def hit(self, at: QPointF, rect: QRectF) -> Hit | None:
        return Hit(HitKind.MEDIA, message=self._message) if self._message.media_kind in WITH_FILES else None


def _lines(message: Message) -> tuple[str, str]:
    media, kind = message.media, message.media_kind
    words = media_words(kind)
    if media is None:
        return words, ""
    title = foreign_text.line(media.title)
    name = foreign_text.line(media.file_name)
    facts = [length_words(media.duration_s) if media.duration_s else "", size_words(media.size) if media.size else ""]
    below = " · ".join(filter(None, facts))
    if kind == "voice":
        return words, below or words
    if kind in {"audio", "document", "video"}:
        return title or name or words, below or words
    return title or words, words if title else ""


def _paint_bars(canvas: Canvas, box: QRectF, message: Message) -> None:
    """Paint the waveform of a voice message; equal bars if it has none."""
    levels = message.media.waveform if message.media is not None else b""
    count = max(8, min(_BARS, int(box.width() / (_BAR + _BAR_GAP))))
    painter = canvas.painter
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(canvas.theme.color("accent"))
    for number in range(count):
        portion = levels[number * len(levels) // count : max(1, (number + 1) * len(levels) // count)] or b"\x08"
        high = max(2.0, box.height() * min(31, max(portion)) / 31)
        x = canvas.lead(box, _BAR, number * (_BAR + _BAR_GAP))
        painter.drawRoundedRect(QRectF(x, box.bottom() - high - 1, _BAR, high), 1.2, 1.2)
