"""Paints a row of the list beside the wide card: agent, recipient, text, and the most important reason."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QPointF, QRectF, QSize
from PySide6.QtWidgets import QListView, QStyledItemDelegate

from chimein_gui.domain.approvals import Approval
from chimein_gui.domain.tasks import TaskStatus
from chimein_gui.ui.messages.row_pictures import RowPictures
from chimein_gui.ui.pane import PaneContext
from chimein_gui.ui.panes.approvals.card.words import labels_of
from chimein_gui.ui.panes.approvals.list.folded import draw_folded, is_decided, is_undone_next
from chimein_gui.ui.panes.approvals.list.ticks import draw_tick, tick_of
from chimein_gui.ui.widgets.text import foreign_text
from chimein_gui.ui.widgets.text.elision import elided
from chimein_gui.ui.widgets.theme import icons, marks
from chimein_gui.ui.widgets.theme.control_colours import Role, State, colours_of
from chimein_gui.ui.widgets.theme.marks import IconLabel
from chimein_gui.ui.widgets.theme.mirror import mirror
from chimein_gui.ui.widgets.theme.theme import Face
from chimein_gui.viewmodels.approvals.card_words import shown_text
from chimein_gui.viewmodels.approvals.saved_marks import make_saved_edit_marks
from chimein_gui.viewmodels.approvals.send_status import HoldReason
from chimein_gui.viewmodels.approvals.store import waits_for_operator
from chimein_gui.viewmodels.panes.approvals import make_approvals

if TYPE_CHECKING:
    from PySide6.QtGui import QPainter
    from PySide6.QtWidgets import QStyleOptionViewItem

STRIPE, SQUARE, TEXT_LEFT, PAD = 4, 20, 46, 12


class RowLook(NamedTuple):
    """Everything that a row shows except its age."""

    approval: Approval
    status_words: str
    hold_reason: HoldReason
    age_width: float
    identity: int
    current: bool
    focused: bool
    editing: bool
    kept: bool = False
    ticked: bool | None = None
    undone: bool = False


class RowDelegate(QStyledItemDelegate):
    """Rows have three lines, decided ones a single line."""

    def __init__(self, context: PaneContext, view: QListView) -> None:
        super().__init__(view)
        self._context, self._theme, self._view = context, context.theme, view
        self._marks = context.own(make_saved_edit_marks)
        self._approvals, self._queue = context.models.approvals, context.own(make_approvals).queue
        self.editing: object = None
        self.pictures = RowPictures(context.theme, "pane")
        context.theme.fonts_changed.connect(self._measure)

    def _measure(self) -> None:
        """Recompute the heights after a change of the text size."""
        self.pictures.clear()
        self._view.scheduleDelayedItemsLayout()

    def sizeHint(self, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex) -> QSize:
        row = self.height() if not self.is_folded(index.row()) else self._folded_height()
        return QSize(self._view.viewport().width(), row)

    def is_folded(self, row: int) -> bool:
        """Tell whether a row has a single line: it was decided, and is not current."""
        approval = self._queue.item_at(row)
        return approval is not None and row != self._view.currentIndex().row() and is_decided(approval)

    def _folded_height(self) -> int:
        return max(30, round(self._theme.metrics(Face.SMALL).height() + 12))

    def height(self) -> int:
        """Return the height of a row with three lines, px."""
        body, small = self._theme.metrics(Face.BODY).height(), self._theme.metrics(Face.META).height()
        return max(76, round(2 * body + small + 28))

    def grows(self, row: int) -> bool:
        """Tell whether a row's height has changed since its last layout."""
        approval = self._queue.item_at(row)
        if approval is None:
            return True
        wanted = self._folded_height() if self.is_folded(row) else self.height()
        return self._view.visualRect(self._queue.index(row, 0)).height() != wanted

    def times_of(self, approval: Approval) -> tuple[str, bool]:
        """Return a row's age, and whether it is shown as a warning."""
        clock = self._context.models.clock
        age = clock.age(approval.created_at)
        return age, waits_for_operator(approval) and clock.is_old(approval.created_at)

    def paint(
        self, painter: QPainter, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex
    ) -> None:
        approval = self._queue.item_at(index.row())
        if approval is None:
            return
        age, old = self.times_of(approval)
        current = index.row() == self._view.currentIndex().row()
        look = RowLook(
            approval,
            self._approvals.status_words_of(approval),
            self._approvals.send_status.hold_reason_of(approval),
            self._theme.metrics(Face.SMALL).horizontalAdvance(age),
            self._context.models.agents.identity_of(approval.agent_id),
            current,
            current and self._view.hasFocus(),
            approval.approval_id == self.editing,
            self._marks.has(approval),
            tick_of(self._context, approval),
        )
        turned = self._view.isRightToLeft()
        if self.is_folded(index.row()):
            look = look._replace(age_width=0, undone=is_undone_next(self._context, approval))
            self.pictures.draw(
                painter, option.rect, look, lambda p, rect: self._paint_folded(p, rect, look), turned=turned
            )
            return
        self.pictures.draw(painter, option.rect, look, lambda p, rect: self._paint_row(p, rect, look), turned=turned)
        place = QPointF(option.rect.right() + 1 - PAD - look.age_width, option.rect.top() + self._line(0))
        token = "attention" if old else "text2" if current else "text3"
        painter.save()
        if turned:
            mirror(painter, option.rect)
        marks.draw_line(painter, self._theme.font(Face.SMALL), self._theme.color(token), place, age)
        painter.restore()

    def _line(self, number: int) -> float:
        """Return the y of a line's centre: a quarter, a half or three quarters of the row."""
        return self.height() * (number + 1) / 4

    def _paint_folded(self, painter: QPainter, rect: QRectF, look: RowLook) -> None:
        """Paint the single line of a decided card, aligned with the text of other rows."""
        painter.fillRect(QRectF(rect.left(), rect.top(), STRIPE, rect.height()), self._theme.identity(look.identity))
        inner = rect.adjusted(15, 0, -PAD, 0)
        draw_folded(painter, self._theme, inner, look.approval, look.status_words, is_undone=look.undone)

    def _paint_row(self, painter: QPainter, rect: QRectF, look: RowLook) -> None:
        theme, approval = self._theme, look.approval
        # A selected row has the background of a hovered one.
        colours = colours_of(theme, Role.ROW, State(checked=look.current, hovered=bool(look.ticked)))
        if look.current or look.ticked:
            painter.fillRect(rect, colours.fill)
        else:
            painter.fillRect(QRectF(rect.left() + TEXT_LEFT, rect.bottom() - 1, rect.width(), 1), theme.color("line"))
        painter.fillRect(QRectF(rect.left(), rect.top(), STRIPE, rect.height()), theme.identity(look.identity))
        if look.focused:
            painter.fillRect(QRectF(rect.right() - 3, rect.top(), 3, rect.height()), colours.edge)
        top = rect.top() + self._line(0)
        square = QRectF(rect.left() + 15, top - SQUARE / 2, SQUARE, SQUARE)
        if look.ticked is None:
            marks.draw_square(painter, theme, square, approval.agent_name, look.identity)
        else:
            draw_tick(painter, theme, square, on=look.ticked)
        self._paint_names(painter, rect, top, look)
        left, width = rect.left() + TEXT_LEFT, rect.width() - TEXT_LEFT - PAD
        words = foreign_text.line(shown_text(approval, foreign_text.name))
        ink = theme.color("text1" if look.current else "text2")
        line = QPointF(left, rect.top() + self._line(1))
        marks.draw_line(painter, theme.font(Face.BODY), ink, line, words, width)
        self._paint_label(painter, QPointF(left, rect.top() + self._line(2)), width, look)

    def _paint_names(self, painter: QPainter, rect: QRectF, middle: float, look: RowLook) -> None:
        theme, approval = self._theme, look.approval
        font, ink = theme.font(Face.STRONG), theme.color("text1")
        end = rect.right() - PAD - look.age_width - 10
        x = rect.left() + TEXT_LEFT
        # The avatar and the stripe identify the agent, so its first name is enough.
        agent = foreign_text.name(approval.agent_name).split(" ")[0]
        x += marks.draw_line(painter, font, ink, QPointF(x, middle), agent, (end - x) * 0.4) + 4
        icons.draw(painter, "arrow-right", theme.color("text3"), QRectF(x, middle - 6, 12, 12))
        x += 16
        marks.draw_line(painter, font, ink, QPointF(x, middle), foreign_text.name(approval.chat_title), end - x)

    def _paint_label(self, painter: QPainter, left: QPointF, width: float, look: RowLook) -> None:
        theme = self._theme
        label = self._strongest(look)
        metrics = theme.metrics(Face.META_STRONG)
        room = width - marks.mark_width(theme, "", Face.META_STRONG) - marks.MARK_GAP
        shown = IconLabel(label.icon, elided(metrics, label.word, room), label.token)
        marks.draw_mark(painter, theme, left, shown, theme.color(label.token), Face.META_STRONG)

    def _strongest(self, look: RowLook) -> IconLabel:
        if look.editing:
            return IconLabel("pencil", self.tr("You are editing"), "info")
        approval = look.approval
        making = self._context.models.regenerations.making_of(approval.graph_id)
        if making is not None and approval.task_status is TaskStatus.AWAITING_DECISION:
            return IconLabel("refresh", self.tr("Planning again"), "info")
        return labels_of(approval, look.status_words, look.hold_reason, kept=look.kept)[0]
