"""The picture of the selected file, large: it moves, can be paused, and shown at any moment of it."""

from __future__ import annotations

import time
from math import ceil
from typing import TYPE_CHECKING

from PySide6.QtCore import QPointF, QRectF, QSize, Qt, QTimer, Signal
from PySide6.QtWidgets import QSizePolicy

from chimein_gui.ui.panes.media.grid.cell import draw_fitted, draw_waveform
from chimein_gui.ui.widgets.surfaces.surface import Surface
from chimein_gui.ui.widgets.text import foreign_text
from chimein_gui.ui.widgets.theme import icons, marks
from chimein_gui.ui.widgets.theme.mirror import follow_layout
from chimein_gui.ui.widgets.theme.theme import Face
from chimein_gui.viewmodels.media.still_pictures import PictureState
from chimein_gui.viewmodels.media_library.groups import moves
from chimein_gui.viewmodels.transcript.message_words import media_words

if TYPE_CHECKING:
    from PySide6.QtGui import QHideEvent, QMouseEvent, QPainter, QShowEvent

    from chimein_gui.domain.media.library import MediaEntry
    from chimein_gui.domain.messages import Message, MessageKey
    from chimein_gui.ui.pane import PaneContext
    from chimein_gui.viewmodels.media.frame_strip import FrameStrip
    from chimein_gui.viewmodels.media_library.pictures import MediaPictures

TICK_MS = 33
FOOT = 26.0
PAD = 10.0
FPS = 30


class Stage(Surface):
    """A click on the picture plays or pauses, one on the bar shows that moment.

    Attributes:
        pressed: A still picture was clicked: it is wanted in full size.
    """

    pressed = Signal()

    def __init__(self, context: PaneContext, pictures: MediaPictures, *, height: int = 148) -> None:
        super().__init__(context.theme, "card", frame="line", radius=8)
        self._pictures, self._of = context.models.pictures, pictures
        self.entry: MediaEntry | None = None
        self.is_paused = False
        self._at, self._since = 0.0, 0.0
        self._shown = -1
        self._timer = QTimer(self)
        self._timer.setInterval(TICK_MS)
        self._timer.timeout.connect(self._tick)
        self.setMinimumHeight(height)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self._pictures.changed.connect(self._picture_changed)
        context.theme.motion_changed.connect(self._follow)

    def show_entry(self, entry: MediaEntry | None) -> None:
        """Show a file; another one begins to move."""
        if self.entry is None or entry is None or entry.unique_id != self.entry.unique_id:
            self.is_paused, self._at, self._since = False, 0.0, time.perf_counter()
        self.entry = entry
        self.setAccessibleName(self.tr("Picture"))
        self._follow()
        self.update()

    def play_or_pause(self) -> None:
        """Pause, or play on from there."""
        if self._strip() is None:
            return
        if self.is_paused:
            self._since = time.perf_counter()
        else:
            self._at = self._seconds()
        self.is_paused = not self.is_paused
        self._follow()
        self.update()

    def sizeHint(self) -> QSize:
        return QSize(200, self.minimumHeight())

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._follow()

    def hideEvent(self, event: QHideEvent) -> None:
        self._timer.stop()
        super().hideEvent(event)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        strip, place = self._strip(), event.position()
        bar = self._bar()
        if strip is None:
            self.pressed.emit()
        elif place.y() >= bar.top() - 8 and place.x() >= bar.left() - 4:
            share = (place.x() - bar.left()) / max(1.0, bar.width())
            if self.isRightToLeft():
                share = 1 - share
            self._at, self._since = min(max(share, 0.0), 0.999) * strip.duration_s, time.perf_counter()
            self.update()
        else:
            self.play_or_pause()

    # --- painting -------------------------------------------------------------------------------------------------

    def paint_contents(self, painter: QPainter) -> None:
        entry = self.entry
        if entry is None:
            return
        strip = self._strip()
        foot = FOOT if strip is not None else 0.0
        box = QRectF(self.rect()).adjusted(PAD, PAD, -PAD, -PAD - foot)
        if strip is not None:
            self._shown = strip.number_at(self._seconds())
            draw_fitted(painter, strip.image(self._shown), box)
            self._paint_bar(painter, strip)
            return
        if entry.media is not None and entry.media.waveform:
            draw_waveform(painter, self._theme, entry.media.waveform, box)
            return
        message = self._message()
        still = self._pictures.still(message, self._size()) if message is not None else None
        if still is not None:
            draw_fitted(painter, still, box)
        else:
            self._paint_nothing(painter, entry, box)

    def _paint_bar(self, painter: QPainter, strip: FrameStrip) -> None:
        theme = self._theme
        follow_layout(painter, self)
        bar, seconds = self._bar(), self._seconds() % strip.duration_s
        icon = "play" if self.is_paused else "pause"
        icons.draw(painter, icon, theme.color("text2"), QRectF(PAD + 2, bar.center().y() - 7, 14, 14))
        painter.setPen(Qt.PenStyle.NoPen)
        for width, token in ((bar.width(), "track"), (bar.width() * seconds / strip.duration_s, "accent")):
            painter.setBrush(theme.color(token))
            painter.drawRoundedRect(QRectF(bar.left(), bar.top(), width, bar.height()), 2, 2)
        words = f"{seconds:.1f} / {strip.duration_s:.1f} s"
        at = QPointF(bar.right() + 8, bar.center().y())
        marks.draw_line(painter, theme.font(Face.META), theme.color("text2"), at, words)

    def _paint_nothing(self, painter: QPainter, entry: MediaEntry, box: QRectF) -> None:
        theme = self._theme
        message = self._message()
        state = self._pictures.state(message) if message is not None else PictureState.BROKEN
        if message is None and entry.kind in ("voice", "audio"):
            words = media_words(entry.kind)
        elif state is PictureState.WAITING:
            words = self.tr("Loading…")
        elif state is PictureState.OFFLINE:
            words = self.tr("Not connected")
        elif state is PictureState.TOO_BIG:
            words = self.tr("Too large to show")
        else:
            words = self.tr("No picture")
        icon = {"voice": "mic", "audio": "music"}.get(entry.kind, "image-off")
        middle = box.center()
        icons.draw(painter, icon, theme.color("text3"), QRectF(middle.x() - 14, middle.y() - 24, 28, 28))
        width = theme.metrics(Face.SMALL).horizontalAdvance(words)
        at = QPointF(middle.x() - width / 2, middle.y() + 20)
        marks.draw_line(painter, theme.font(Face.SMALL), theme.color("text2"), at, foreign_text.line(words))

    def _bar(self) -> QRectF:
        room = self._theme.metrics(Face.META).horizontalAdvance("00.0 / 00.0 s") + 8
        bottom = self.height() - PAD - 6
        return QRectF(PAD + 26, bottom - 4, max(20.0, self.width() - 2 * PAD - 26 - room), 4)

    # --- moving ---------------------------------------------------------------------------------------------------

    def _message(self) -> Message | None:
        return self._of.message_of(self.entry) if self.entry is not None else None

    def _size(self) -> QSize:
        side = ceil((self.minimumHeight() - 2 * PAD - FOOT) * self.devicePixelRatioF())
        return QSize(side * 2, side)

    def _strip(self) -> FrameStrip | None:
        if self.entry is None or self._theme.reduced_motion or not moves(self.entry):
            return None
        message = self._message()
        side = self._size().height()
        return self._pictures.frames(message, QSize(side, side), fps=FPS) if message is not None else None

    def _seconds(self) -> float:
        return self._at if self.is_paused else self._at + time.perf_counter() - self._since

    def _follow(self) -> None:
        moving = self.isVisible() and not self.is_paused and not self._theme.reduced_motion
        if moving and self.entry is not None and moves(self.entry):
            self._timer.start()
        else:
            self._timer.stop()

    def _tick(self) -> None:
        strip = self._strip()
        if strip is not None and strip.number_at(self._seconds()) != self._shown:
            self.update()

    def _picture_changed(self, key: MessageKey) -> None:
        message = self._message()
        if message is not None and message.key == key:
            self.update()
