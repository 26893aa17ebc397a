"""Paints messages: bubbles at the speaker's side, day lines between days. Measured once, painted once."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QPointF, QRectF, QSize
from PySide6.QtWidgets import QListView, QStyledItemDelegate

from chimein_gui.domain.chats import ChatKind
from chimein_gui.ui.widgets import bubble, foreign_text, marks
from chimein_gui.ui.widgets.bubble import Bubble, BubbleText, Quote
from chimein_gui.ui.widgets.pane import PaneContext
from chimein_gui.ui.widgets.row_heights import RowHeights
from chimein_gui.ui.widgets.row_pictures import RowPictures
from chimein_gui.ui.widgets.row_states import SELECTED
from chimein_gui.ui.widgets.theme import Face
from chimein_gui.viewmodels.message_words import message_words, service_words
from chimein_gui.viewmodels.transcript import TranscriptRow

if TYPE_CHECKING:
    from PySide6.QtGui import QPainter
    from PySide6.QtWidgets import QStyleOptionViewItem

    from chimein_gui.domain.messages import Message

SIDE, GAP = 20.0, 6.0
DAY_LINE = 34.0
SERVICE_NAME = 24
"""Most characters of a name in a service message."""


class TranscriptDelegate(QStyledItemDelegate):
    """One message a row."""

    def __init__(self, context: PaneContext, view: QListView) -> None:
        super().__init__(view)
        self._context, self._theme, self._view = context, context.theme, view
        self._transcript = context.models.transcript
        self.pictures = RowPictures(context.theme, "chat")
        self.heights = RowHeights(self._transcript.rowCount)

    def sizeHint(self, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex) -> QSize:
        return QSize(self._view.viewport().width(), self.height_of(index.row()))

    def height_of(self, number: int) -> int:
        """Return a row's height, laid out only if it was not before."""
        width = self._view.width()
        row = self._transcript.row_at(number)
        message_id = row.message.key.message_id
        known = self.heights.known(message_id, row, width)
        return known if known is not None else self.heights.learn(message_id, row, width, self._height(row))

    def grows(self, number: int) -> bool:
        """Tell whether a row needs another height than when it was laid out last."""
        last = self.heights.last(self._transcript.row_at(number).message.key.message_id)
        return last != self.height_of(number)

    def _height(self, row: TranscriptRow) -> int:
        height = GAP + (DAY_LINE if row.day else 0)
        if row.message.is_service:
            height += self._theme.metrics(Face.SMALL).height() + 10
        else:
            height += self._bubble(row).height
        return round(height + 0.5)

    def paint(
        self, painter: QPainter, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex
    ) -> None:
        row = self._transcript.row_at(index.row())
        selected = bool(option.state.value & SELECTED)
        look = (row, selected, self._is_group(), self._own_identity(), self._view.width())
        self.pictures.draw(painter, option.rect, look, lambda p, rect: self._paint_row(p, rect, row, selected))

    def _paint_row(self, painter: QPainter, rect: QRectF, row: TranscriptRow, selected: bool) -> None:
        y = rect.top() + GAP / 2
        if row.day:
            self._paint_pill(painter, rect, y + DAY_LINE / 2, row.day)
            y += DAY_LINE
        if row.message.is_service:
            self._paint_pill(painter, rect, y + (rect.bottom() - y) / 2, _told_by_telegram(row.message))
            return
        said = self._bubble(row)
        x = self._right(rect) - said.width if row.message.out else rect.left() + SIDE
        bubble.paint(painter, self._theme, said, QPointF(x, y), selected=selected)

    def _paint_pill(self, painter: QPainter, rect: QRectF, middle: float, words: str) -> None:
        font = self._theme.font(Face.META)
        metrics = self._theme.metrics(Face.META)
        shown = metrics.elidedText(words, self._view.textElideMode(), rect.width() - 80)
        width = metrics.horizontalAdvance(shown)
        left = (rect.left() + SIDE + self._right(rect) - width) / 2
        painter.save()
        painter.setPen(self._theme.color("line_strong"))
        painter.drawLine(QPointF(rect.left() + SIDE, middle), QPointF(left - 14, middle))
        painter.drawLine(QPointF(left + width + 14, middle), QPointF(self._right(rect), middle))
        marks.draw_line(painter, font, self._theme.color("text3"), QPointF(left, middle), shown)
        painter.restore()

    def _bubble(self, row: TranscriptRow) -> Bubble:
        return bubble.measure(self._theme, self._said(row), self._view.width() - 2 * SIDE)

    def _right(self, rect: QRectF) -> float:
        """Return where a row ends: a scroll bar stands in the margin, so that rows and drafts keep one edge."""
        return rect.left() + self._view.width() - SIDE

    def _is_group(self) -> bool:
        chat = self._transcript.chat
        return chat is not None and chat.info.kind is not ChatKind.DM

    def _own_identity(self) -> int:
        chat = self._transcript.chat
        return self._context.models.agents.identity_of(chat.agent_id) if chat is not None else 0

    def _said(self, row: TranscriptRow) -> BubbleText:
        message = row.message
        words = message_words(message)
        author, color = "", None
        if self._is_group() and not message.out and not row.continues:
            author = foreign_text.name(message.sender_name) or self.tr("Somebody")
            color = marks.person_text(self._theme, message.sender_name)
        meta = self.tr("edited {time}").format(time=row.clock) if message.edited_at is not None else row.clock
        faint = message.deleted or not message.text
        return BubbleText(
            words, meta, message.out, row.read, faint, self._quote(row), author=author, author_color=color
        )

    def _quote(self, row: TranscriptRow) -> Quote | None:
        answered = row.reply_to
        if answered is None:
            return None
        own = self._own_identity()
        who = row.own_name if answered.out else answered.sender_name
        color = self._theme.identity_text(own) if answered.out else self._theme.color("accent_text")
        return Quote(foreign_text.name(who), foreign_text.line(message_words(answered)), color)


def _told_by_telegram(message: Message) -> str:
    """Return a service message as one sentence, in which a long name does not hide what happened."""
    if message.deleted or message.text:
        return foreign_text.line(message_words(message))
    return service_words(message, lambda name: foreign_text.isolated(foreign_text.short(name, SERVICE_NAME)))
