"""The single line of a decided card, which stays in the list as long as the decision can be undone."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QCoreApplication, QPointF, QRectF

from chimein_gui.domain.tasks import TaskStatus
from chimein_gui.ui.widgets.text import foreign_text
from chimein_gui.ui.widgets.theme import icons, marks
from chimein_gui.ui.widgets.theme.theme import Face
from chimein_gui.viewmodels.approvals.store import OPERATOR, newest_undoable
from chimein_gui.viewmodels.panes.approvals import make_approvals

if TYPE_CHECKING:
    from PySide6.QtGui import QPainter

    from chimein_gui.domain.approvals import Approval
    from chimein_gui.ui.pane import PaneContext
    from chimein_gui.ui.widgets.theme.theme import Theme

_DECIDED = frozenset({TaskStatus.APPROVED, TaskStatus.SENDING, TaskStatus.DONE, TaskStatus.SKIPPED})
_UNDONE = frozenset({TaskStatus.APPROVED, TaskStatus.SKIPPED})

translate = QCoreApplication.translate


def is_decided(approval: Approval) -> bool:
    """Tell whether the operator has approved or rejected a card, so that it becomes one line when it is not current."""
    return approval.task_status in _DECIDED and approval.decided_by == OPERATOR


def is_undone_next(context: PaneContext, approval: Approval) -> bool:
    """Tell whether Z, pressed on a card that waits, would undo the decision on this one."""
    if not is_decided(approval) or approval.task_status not in _UNDONE:
        return False
    batch = context.own(make_approvals).batch
    if batch.undoable:
        return batch.is_undone_with(approval.approval_id)
    newest = newest_undoable(context.models.approvals)
    return newest is not None and newest.approval_id == approval.approval_id


def draw_folded(
    painter: QPainter, theme: Theme, rect: QRectF, approval: Approval, status_words: str, *, is_undone: bool
) -> None:
    """Paint the recipient, the status, and the key for Undo where it undoes this (`is_undone`)."""
    font, ink, middle = theme.font(Face.SMALL), theme.color("text2"), rect.center().y()
    icon = "x" if approval.task_status is TaskStatus.SKIPPED else "check"
    icons.draw(painter, icon, ink, QRectF(rect.left(), middle - 7, 14, 14))
    undo = translate("CardDelegate", "Undo Z") if is_undone else ""
    width = theme.metrics(Face.SMALL).horizontalAdvance(undo) + 1 if undo else 0
    if undo:
        marks.draw_line(painter, font, theme.color("accent_text"), QPointF(rect.right() - width, middle), undo)
    left = rect.left() + 20
    room = rect.right() - left - width - 10
    if approval.task_status is TaskStatus.APPROVED:  # the time matters more than the end of a long name
        status_words = f" · {status_words}"
        room -= theme.metrics(Face.SMALL).horizontalAdvance(status_words)
    left += marks.draw_line(painter, font, ink, QPointF(left, middle), _words(approval), room)
    if approval.task_status is TaskStatus.APPROVED:
        marks.draw_line(painter, font, ink, QPointF(left, middle), status_words)


def _words(approval: Approval) -> str:
    who = foreign_text.name(approval.chat_title)
    if approval.task_status is TaskStatus.DONE:
        return translate("CardDelegate", "Sent to {who}").format(who=who)
    if approval.task_status is TaskStatus.SKIPPED:
        return translate("CardDelegate", "Rejected for {who}").format(who=who)
    return translate("CardDelegate", "Approved for {who}").format(who=who)
