"""Paints a card: who to whom, how old, the text, why it asks. The verbs of the focused card are real buttons on top."""

from __future__ import annotations

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QFontMetricsF, QPainter, QPainterPath, QPen
from PySide6.QtWidgets import QListView, QStyledItemDelegate, QStyleOptionViewItem

from chimein_gui.domain.approvals import Approval
from chimein_gui.domain.tasks import TaskStatus
from chimein_gui.ui.panes.approvals.words import signs_of
from chimein_gui.ui.widgets import foreign_text, icons, marks, text_block
from chimein_gui.ui.widgets.pane import PaneContext
from chimein_gui.ui.widgets.theme import Face
from chimein_gui.viewmodels.approvals import waits_for_operator
from chimein_gui.viewmodels.roles import ItemRole

SIDE, GAP = 10, 4
PAD_LEFT, PAD_RIGHT, PAD_TOP, PAD_BOTTOM = 16, 12, 11, 10
HEADER, MARKS, BUTTONS = 22, 24, 38
SQUARE = 20


class CardDelegate(QStyledItemDelegate):
    """One card a row; the current one shows its whole text."""

    def __init__(self, context: PaneContext, view: QListView) -> None:
        super().__init__(view)
        self._context, self._theme, self._view = context, context.theme, view

    def sizeHint(self, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex) -> QSize:
        approval = index.data(ItemRole)
        width = self._view.viewport().width()
        if not isinstance(approval, Approval):
            return QSize(width, 40)
        height = 2 * GAP + PAD_TOP + HEADER + 5 + self._text(index, approval).height + MARKS + PAD_BOTTOM
        if note := self._note(approval):
            height += self._note_block(note).height + 4
        if self._is_current(index):
            height += BUTTONS
        return QSize(width, round(height))

    def paint(
        self, painter: QPainter, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex
    ) -> None:
        approval = index.data(ItemRole)
        if not isinstance(approval, Approval):
            return
        rect = QRectF(option.rect).adjusted(SIDE, GAP, -SIDE, -GAP)
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        self._paint_frame(painter, rect, approval, current=self._is_current(index))
        inner = rect.adjusted(PAD_LEFT, PAD_TOP, -PAD_RIGHT, -PAD_BOTTOM)
        self._paint_header(painter, inner, approval)
        y = inner.top() + HEADER + 5
        block = self._text(index, approval)
        gone = approval.task_status is TaskStatus.DONE
        text_block.draw(painter, block, QPointF(inner.left(), y), self._theme.color("text2" if gone else "text1"))
        y += block.height
        if note := self._note(approval):
            lines = self._note_block(note)
            text_block.draw(painter, lines, QPointF(inner.left(), y + 4), self._theme.color("text2"))
            y += lines.height + 4
        self._paint_signs(painter, QRectF(inner.left(), y, inner.width(), MARKS), approval)
        painter.restore()

    def _is_current(self, index: QModelIndex | QPersistentModelIndex) -> bool:
        current = self._view.currentIndex()
        return current.isValid() and current.row() == index.row()

    def _inner_width(self) -> float:
        return max(60.0, self._view.viewport().width() - 2 * SIDE - PAD_LEFT - PAD_RIGHT)

    def _text(self, index: QModelIndex | QPersistentModelIndex, approval: Approval) -> text_block.TextBlock:
        # What is decided on is shown whole; the others only remind.
        lines = 0 if self._is_current(index) and waits_for_operator(approval) else 2
        text = foreign_text.body(approval.text if lines == 0 else approval.text[:600])
        return text_block.lay_out(text, self._theme.font(Face.BODY), self._inner_width(), lines)

    def _note(self, approval: Approval) -> str:
        return self._context.models.actions.explanation_of(approval.approval_id) or approval.note

    def _note_block(self, note: str) -> text_block.TextBlock:
        return text_block.lay_out(foreign_text.body(note[:600]), self._theme.font(Face.SMALL), self._inner_width(), 4)

    def _paint_frame(self, painter: QPainter, rect: QRectF, approval: Approval, *, current: bool) -> None:
        path = QPainterPath()
        path.addRoundedRect(rect.adjusted(0.5, 0.5, -0.5, -0.5), 10, 10)
        painter.fillPath(path, self._theme.color("card"))
        painter.save()
        painter.setClipPath(path)
        identity = self._context.models.agents.identity_of(approval.agent_id)
        painter.fillRect(QRectF(rect.left(), rect.top(), 4.5, rect.height()), self._theme.identity(identity))
        painter.restore()
        focused = current and self._view.hasFocus()
        painter.setPen(QPen(self._theme.color("accent" if current else "line"), 2 if current else 1))
        if current and not focused:
            painter.setPen(QPen(self._theme.color("accent"), 1.4))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.drawPath(path)

    def _paint_header(self, painter: QPainter, inner: QRectF, approval: Approval) -> None:
        theme, clock = self._theme, self._context.models.clock
        middle = inner.top() + HEADER / 2
        age = clock.age(approval.created_at)
        old = waits_for_operator(approval) and clock.is_old(approval.created_at)
        age_width = QFontMetricsF(theme.font(Face.SMALL)).horizontalAdvance(age)
        marks.draw_line(
            painter,
            theme.font(Face.SMALL),
            theme.color("attention" if old else "text3"),
            QPointF(inner.right() - age_width, middle),
            age,
        )
        room = inner.width() - age_width - 12 - SQUARE - 7 - 18
        identity = self._context.models.agents.identity_of(approval.agent_id)
        square = QRectF(inner.left(), middle - SQUARE / 2, SQUARE, SQUARE)
        marks.draw_square(painter, theme, square, approval.agent_name, identity)
        font, ink = theme.font(Face.STRONG), theme.color("text1")
        x = square.right() + 7
        agent = foreign_text.name(approval.agent_name)
        x += marks.draw_line(painter, font, ink, QPointF(x, middle), agent, room * 0.45) + 4
        icons.draw(painter, "arrow-right", theme.color("text3"), QRectF(x, middle - 6, 12, 12))
        x += 16
        title = foreign_text.name(approval.chat_title)
        marks.draw_line(painter, font, ink, QPointF(x, middle), title, inner.right() - age_width - 10 - x)

    def _paint_signs(self, painter: QPainter, rect: QRectF, approval: Approval) -> None:
        x, middle = rect.left(), rect.center().y() + 1
        for sign in signs_of(approval, self._context.models.approvals.fate_of(approval)):
            width = marks.mark_width(self._theme, sign.word, Face.META_STRONG)
            if x > rect.left() and x + width > rect.right():
                break
            marks.draw_mark(
                painter, self._theme, QPointF(x, middle), sign, self._theme.color(sign.token), Face.META_STRONG
            )
            x += width + 14
        if approval.task_status is TaskStatus.APPROVED and approval.due_at and approval.decided_at:
            self._paint_countdown(painter, QRectF(x, middle - 1.5, rect.right() - x, 3), approval)

    def _paint_countdown(self, painter: QPainter, rect: QRectF, approval: Approval) -> None:
        if rect.width() < 30 or approval.due_at is None or approval.decided_at is None:
            return
        whole = (approval.due_at - approval.decided_at).total_seconds()
        left = (approval.due_at - self._context.models.clock.now()).total_seconds()
        share = min(1.0, max(0.0, left / whole)) if whole > 0 else 0.0
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(self._theme.color("track"))
        painter.drawRoundedRect(rect, 1.5, 1.5)
        painter.setBrush(self._theme.color("accent"))
        painter.drawRoundedRect(QRectF(rect.left(), rect.top(), rect.width() * share, rect.height()), 1.5, 1.5)
