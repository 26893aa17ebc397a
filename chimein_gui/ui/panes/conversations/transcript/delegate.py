"""Paints the rows of a transcript: bubbles at the sender's side, and lines between them.

Measures and images are cached.
"""

from __future__ import annotations

from collections import OrderedDict
from typing import TYPE_CHECKING

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QPointF, QRectF, QSize, Qt
from PySide6.QtWidgets import QListView, QStyledItemDelegate

from chimein_gui.domain.chats import ChatKind
from chimein_gui.ui.messages.bubble import Bubble, BubblePainter
from chimein_gui.ui.messages.parts import Canvas, Hit
from chimein_gui.ui.messages.pictures import draw_sticker
from chimein_gui.ui.messages.row_heights import RowHeights
from chimein_gui.ui.messages.row_pictures import RowPictures
from chimein_gui.ui.messages.setting import Setting
from chimein_gui.ui.panes.conversations.transcript import lines
from chimein_gui.ui.panes.conversations.transcript.actions import step_hit
from chimein_gui.ui.widgets.rows.row_states import SELECTED
from chimein_gui.ui.widgets.theme import marks
from chimein_gui.ui.widgets.theme.control_colours import Role, State, colours_of
from chimein_gui.viewmodels.media.opening import make_media_opening
from chimein_gui.viewmodels.transcript.rows import StepRow, TranscriptRow

if TYPE_CHECKING:
    from PySide6.QtGui import QImage, QPainter
    from PySide6.QtWidgets import QStyleOptionViewItem

    from chimein_gui.domain.messages import MessageKey
    from chimein_gui.ui.pane import PaneContext
    from chimein_gui.ui.widgets.rows.arrivals import RowArrivals
    from chimein_gui.viewmodels.media.frame_strip import FrameStrip

SIDE, GAP = 20.0, 6.0
FACE, FACE_GAP = 30.0, 8.0
"""Diameter of the sender's avatar in groups, and its distance from the bubble, px."""

MOST_BUBBLES = 64
"""Most cached bubbles: more than are visible."""


class TranscriptDelegate(QStyledItemDelegate):
    """Paints one message, album or hidden step per row.

    Attributes:
        arrivals: Animates new rows.
        words: Search words, highlighted in every bubble.
        flashed: Id of the highlighted row, or None.
        seconds: Current time of animated stickers, s.
        something_moves: An animated sticker was painted.
        something_waits: A placeholder was painted for a picture that is being loaded.
    """

    def __init__(self, context: PaneContext, view: QListView) -> None:
        super().__init__(view)
        self._context, self._theme, self._view = context, context.theme, view
        self._transcript, self._media = context.models.transcript, context.own(make_media_opening)
        self.painter = BubblePainter(context.theme, context.models.pictures)
        self.arrivals: RowArrivals | None = None
        self.pictures = RowPictures(context.theme, "chat")
        self.heights = RowHeights(self._transcript.rows.rowCount)
        self.words: tuple[str, ...] = ()
        self.flashed: object = None
        self.seconds = 0.0
        self.something_moves = self.something_waits = False
        self._bubbles: OrderedDict[object, tuple[object, Bubble]] = OrderedDict()
        self._versions: dict[MessageKey, int] = {}
        context.theme.changed.connect(self._bubbles.clear)
        context.theme.fonts_changed.connect(self.measure_anew)

    def measure_anew(self) -> None:
        """Drop all measures: the text size has changed."""
        self.heights.clear()
        self.pictures.clear()
        self._bubbles.clear()

    # --- measures -------------------------------------------------------------------------------------------------

    def sizeHint(self, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex) -> QSize:
        return QSize(self._view.viewport().width(), self.height_of(index.row()))

    def height_of(self, number: int) -> int:
        """Return a row's height in px; it is cached."""
        width = self._view.width()
        row, key = self._transcript.rows.row_at(number), self._transcript.rows.key_at(number)
        known = self.heights.known(key, row, width)
        return known if known is not None else self.heights.learn(key, row, width, self._height(number))

    def grows(self, number: int) -> bool:
        """Tell whether a row's height has changed since its last layout."""
        last = self.heights.last(self._transcript.rows.key_at(number))
        return last != self.height_of(number)

    def _height(self, number: int) -> int:
        row = self._transcript.rows.row_at(number)
        if isinstance(row, StepRow):
            return round(lines.step_height(self._theme) + 0.5)
        height = GAP + lines.above_height(self._theme, row)
        if row.message.is_service:
            return round(height + lines.service_height(self._theme) + 0.5)
        return round(height + self.bubble_of(number, row).height + 0.5)

    def setting_of(self, row: TranscriptRow) -> Setting:
        """Return the context of a row's bubble."""
        chat = self._transcript.chat
        if chat is None:
            return Setting()
        is_group = chat.info.kind is not ChatKind.DM
        fetching = any(self._media.is_fetching(one.key) for one in row.messages) if row.message.media_kind else False
        return Setting(is_group, self._context.models.agents.identity_of(chat.agent_id), fetching)

    def bubble_of(self, number: int, row: TranscriptRow) -> Bubble:
        """Return the measured bubble of a row."""
        key, setting = self._transcript.rows.key_at(number), self.setting_of(row)
        room = self._view.width() - 2 * SIDE - (FACE + FACE_GAP if self._has_face(row, setting) else 0)
        look = (row, room, setting)
        known = self._bubbles.get(key)
        if known is not None and known[0] == look:
            self._bubbles.move_to_end(key)
            return known[1]
        made = self.painter.measure(row, room, setting)
        self._bubbles[key] = (look, made)
        if len(self._bubbles) > MOST_BUBBLES:
            self._bubbles.popitem(last=False)
        return made

    def _has_face(self, row: TranscriptRow, setting: Setting) -> bool:
        return setting.is_group and not row.message.out

    def place_of(self, rect: QRectF, number: int, row: TranscriptRow) -> tuple[Bubble, QPointF]:
        """Return a row's bubble and its top left corner."""
        bubble = self.bubble_of(number, row)
        y = rect.top() + GAP / 2 + lines.above_height(self._theme, row)
        inset = SIDE + (FACE + FACE_GAP if self._has_face(row, self.setting_of(row)) else 0)
        if row.message.out is not self._mirrored:
            return bubble, QPointF(self.right(rect) + SIDE - inset - bubble.width, y)
        return bubble, QPointF(rect.left() + inset, y)

    def right(self, rect: QRectF) -> float:
        """Return the right edge of a row's contents.

        The scroll bar is in the margin, so that rows and drafts are aligned.
        """
        return rect.left() + self._view.width() - SIDE

    @property
    def _mirrored(self) -> bool:
        return self._view.layoutDirection() is Qt.LayoutDirection.RightToLeft

    def hit(self, rect: QRectF, number: int, at: QPointF) -> Hit | None:
        """Return what a click at a point in a row does; None for nothing."""
        row = self._transcript.rows.row_at(number)
        if isinstance(row, StepRow):
            return step_hit(row)
        if row.message.is_service:
            return None
        bubble, place = self.place_of(rect, number, row)
        return bubble.hit(at - place)

    # --- painting -------------------------------------------------------------------------------------------------

    def paint(
        self, painter: QPainter, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex
    ) -> None:
        if self.arrivals is None or not self.arrivals.is_moving:
            self._paint(painter, option, index.row())
            return
        painter.save()
        self.arrivals.apply(painter, self._transcript.rows.key_at(index.row()))
        self._paint(painter, option, index.row())
        painter.restore()

    def _paint(self, painter: QPainter, option: QStyleOptionViewItem, number: int) -> None:
        row = self._transcript.rows.row_at(number)
        selected = bool(option.state.value & SELECTED)
        flashed = self.flashed == self._transcript.rows.key_at(number)
        if not isinstance(row, StepRow) and (strip := self.strip_of(number, row)) is not None:
            self._paint_moving(painter, QRectF(option.rect), number, row, strip, selected=selected)
            return
        looks: tuple[object, ...] = ()
        if isinstance(row, TranscriptRow):
            versions = tuple(self._versions.get(one.key, 0) for one in row.messages)
            looks = (self.setting_of(row), versions, self.words, self._mirrored)
        look = (row, selected, flashed, self._view.width(), looks)
        self.pictures.draw(
            painter,
            option.rect,
            look,
            lambda p, rect: self._paint_row(p, rect, number, selected=selected, flashed=flashed),
        )

    def _paint_row(self, painter: QPainter, rect: QRectF, number: int, *, selected: bool, flashed: bool) -> bool:
        row, theme = self._transcript.rows.row_at(number), self._theme
        whole = QRectF(rect.left() + SIDE, rect.top(), self.right(rect) - rect.left() - SIDE, rect.height())
        if flashed or (selected and (isinstance(row, StepRow) or row.message.is_service)):
            painter.fillRect(rect, colours_of(theme, Role.FLASH, State()).fill)
        if isinstance(row, StepRow):
            lines.paint_step(painter, theme, whole, row)
            return True
        lines.paint_above(painter, theme, whole, row)
        if row.message.is_service:
            lines.paint_service(painter, theme, whole, row)
            return True
        bubble, place = self.place_of(rect, number, row)
        if self._has_face(row, self.setting_of(row)) and not row.continues:
            x = self.right(rect) - FACE if self._mirrored else rect.left() + SIDE
            marks.draw_circle(painter, theme, QRectF(x, place.y(), FACE, FACE), row.message.sender_name)
        complete = self.painter.paint(
            painter, bubble, place, selected=selected, words=self.words, mirrored=self._mirrored
        )
        self.something_waits |= not complete
        return complete

    # --- animated stickers ----------------------------------------------------------------------------------------

    def strip_of(self, number: int, row: TranscriptRow) -> FrameStrip | None:
        """Return the frames of a row's animated sticker.

        None if it has none, while they are not loaded, and with reduced motion.
        """
        if row.message.media_kind != "sticker" or row.message.deleted:
            return None
        found = self.bubble_of(number, row).sticker
        if found is None:
            return None
        side = round(found[0].width * self._view.devicePixelRatioF())
        still = self._theme.reduced_motion
        strip = None if still else self._context.models.pictures.frames(row.message, QSize(side, side))
        found[0].moves = strip is not None
        return strip

    def _paint_moving(
        self, painter: QPainter, rect: QRectF, number: int, row: TranscriptRow, strip: FrameStrip, *, selected: bool
    ) -> None:
        self.something_moves = True
        self._paint_row(painter, rect, number, selected=selected, flashed=False)
        bubble, place = self.place_of(rect, number, row)
        found = bubble.sticker
        if found is not None:
            part, box = found
            canvas = Canvas(painter, self._theme, row.message.out, mirrored=self._mirrored)
            image: QImage = strip.image(strip.number_at(self.seconds))
            draw_sticker(canvas, image, part.box(canvas, box.translated(place)))

    def forget_picture(self, key: MessageKey) -> None:
        """Drop the cached image of a row: its picture was loaded, or failed to load."""
        if len(self._versions) > 4 * MOST_BUBBLES:
            self.pictures.clear()
            self._versions.clear()
        self._versions[key] = self._versions.get(key, 0) + 1
