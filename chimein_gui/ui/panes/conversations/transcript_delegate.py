"""Paints messages: bubbles at the speaker's side, day lines between days. Measured once a width."""

from __future__ import annotations

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QPointF, QRectF, QSize
from PySide6.QtGui import QFontMetricsF, QPainter
from PySide6.QtWidgets import QListView, QStyle, QStyledItemDelegate, QStyleOptionViewItem

from chimein_gui.domain.chats import ChatKind
from chimein_gui.ui.widgets import bubble, foreign_text, marks
from chimein_gui.ui.widgets.bubble import Bubble, BubbleText, Quote
from chimein_gui.ui.widgets.pane import PaneContext
from chimein_gui.ui.widgets.theme import Face
from chimein_gui.viewmodels.message_words import message_words
from chimein_gui.viewmodels.roles import ItemRole
from chimein_gui.viewmodels.transcript import TranscriptRow

SIDE, GAP = 20.0, 6.0
DAY_LINE = 34.0
_CACHED = 1500


class TranscriptDelegate(QStyledItemDelegate):
    """One message a row."""

    def __init__(self, context: PaneContext, view: QListView) -> None:
        super().__init__(view)
        self._context, self._theme, self._view = context, context.theme, view
        self._measured: dict[tuple[TranscriptRow, int], Bubble] = {}
        context.theme.changed.connect(self._measured.clear)

    def sizeHint(self, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex) -> QSize:
        row = index.data(ItemRole)
        if not isinstance(row, TranscriptRow):
            return QSize(10, 10)
        height = GAP + (DAY_LINE if row.day else 0)
        if row.message.is_service:
            height += QFontMetricsF(self._theme.font(Face.SMALL)).height() + 10
        else:
            height += self._bubble(row).height
        return QSize(self._view.viewport().width(), round(height + 0.5))

    def paint(
        self, painter: QPainter, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex
    ) -> None:
        row = index.data(ItemRole)
        if not isinstance(row, TranscriptRow):
            return
        rect = QRectF(option.rect)
        y = rect.top() + GAP / 2
        if row.day:
            self._paint_pill(painter, rect, y + DAY_LINE / 2, row.day)
            y += DAY_LINE
        if row.message.is_service:
            words = foreign_text.line(message_words(row.message))
            self._paint_pill(painter, rect, y + (rect.bottom() - y) / 2, words)
            return
        said = self._bubble(row)
        x = rect.right() - SIDE - said.width if row.message.out else rect.left() + SIDE
        selected = bool(option.state & QStyle.StateFlag.State_Selected)
        bubble.paint(painter, self._theme, said, QPointF(x, y), selected=selected)

    def _paint_pill(self, painter: QPainter, rect: QRectF, middle: float, words: str) -> None:
        font = self._theme.font(Face.META)
        metrics = QFontMetricsF(font)
        shown = metrics.elidedText(words, self._view.textElideMode(), rect.width() - 80)
        width = metrics.horizontalAdvance(shown)
        left = rect.center().x() - width / 2
        painter.save()
        painter.setPen(self._theme.color("line_strong"))
        painter.drawLine(QPointF(rect.left() + SIDE, middle), QPointF(left - 14, middle))
        painter.drawLine(QPointF(left + width + 14, middle), QPointF(rect.right() - SIDE, middle))
        marks.draw_line(painter, font, self._theme.color("text3"), QPointF(left, middle), shown)
        painter.restore()

    def _bubble(self, row: TranscriptRow) -> Bubble:
        width = self._view.viewport().width()
        key = (row, width)
        known = self._measured.get(key)
        if known is None:
            if len(self._measured) > _CACHED:
                self._measured.clear()
            known = bubble.measure(self._theme, self._said(row), width - 2 * SIDE)
            self._measured[key] = known
        return known

    def _said(self, row: TranscriptRow) -> BubbleText:
        message = row.message
        chat = self._context.models.transcript.chat
        group = chat is not None and chat.info.kind is not ChatKind.DM
        words = message_words(message)
        if group and not message.out:
            words = f"{foreign_text.name(message.sender_name)}: {words}"
        meta = self.tr("edited {time}").format(time=row.clock) if message.edited_at is not None else row.clock
        faint = message.deleted or not message.text
        return BubbleText(words, meta, message.out, row.read, faint, self._quote(row))

    def _quote(self, row: TranscriptRow) -> Quote | None:
        answered = row.reply_to
        if answered is None:
            return None
        chat = self._context.models.transcript.chat
        own = self._context.models.agents.identity_of(chat.agent_id) if chat is not None else 0
        who = row.own_name if answered.out else answered.sender_name
        color = self._theme.identity_text(own) if answered.out else self._theme.color("accent_text")
        return Quote(foreign_text.name(who), foreign_text.line(message_words(answered)), color)
