"""The Approvals pane: list, desk, empty state."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QStackedWidget, QVBoxLayout, QWidget

from chimein_gui.domain.approvals import Approval
from chimein_gui.domain.tasks import TaskStatus
from chimein_gui.ui.panes.approvals.desk import Desk
from chimein_gui.ui.panes.approvals.list_view import CardList
from chimein_gui.ui.widgets.empty_state import EmptyState
from chimein_gui.ui.widgets.legend import KeyLegend
from chimein_gui.ui.widgets.pane import Pane, PaneContext
from chimein_gui.ui.widgets.verb_button import Kind
from chimein_gui.viewmodels.approvals import waits_for_operator
from chimein_gui.viewmodels.card_words import has_text


class ApprovalsPane(Pane):
    """What waits for the operator, oldest first."""

    def __init__(self, context: PaneContext) -> None:
        super().__init__()
        self._models = context.models
        self._intents = context.intents
        self.list = CardList(context)
        self.desk = Desk(context)
        self._empty = EmptyState(context.theme, "ok-circle", color="ok")
        self._empty.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        play = context.intents.pick_scenario
        self._ways_to_begin = ((self.tr("Play a scenario"), play.emit),) if context.is_sandbox else ()
        self._stack = QStackedWidget()
        self._stack.addWidget(self._empty)
        self._stack.addWidget(self.list)
        self._legend = KeyLegend(
            context.theme,
            (
                (("J", "K"), self.tr("Move")),
                (("A",), self.tr("Approve")),
                (("E",), self.tr("Edit")),
                (("R",), self.tr("Reject")),
                (("Z",), self.tr("Undo")),
            ),
            self,
        )
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 6, 0, 0)
        column.setSpacing(0)
        column.addWidget(self._stack, 1)
        column.addWidget(self.desk)
        column.addWidget(self._legend)
        self.list.verb_pressed.connect(self._do)
        self.list.doubleClicked.connect(lambda _index: self._open_chat())
        self.desk.closed.connect(lambda: self.focus_widget().setFocus())
        context.intents.edit_draft.connect(self._edit)
        context.intents.reject_draft.connect(self._reject)
        context.intents.select_draft.connect(self.list.select)
        models = context.models
        models.approvals.waiting_changed.connect(self._count)
        self._count()

    def focus_widget(self) -> QWidget:
        return self._stack.currentWidget() or self.list

    def _do(self, verb: str, approval: Approval) -> None:
        waits = waits_for_operator(approval)
        if verb == "A" and waits:
            self._models.actions.approve(approval)
        elif verb == "E" and waits and has_text(approval):
            self.desk.edit(approval)
        elif verb == "R" and waits:
            self.desk.ask_reason(approval)
        elif verb == "Z" and approval.task_status is TaskStatus.APPROVED:
            self._models.actions.undo(approval)
        elif verb == "S":
            self._models.asides.take_up(approval)
        elif verb == "X":
            self._models.approvals.dismiss(approval.approval_id)

    def _edit(self, approval_id: object) -> None:
        self.list.select(approval_id)
        approval = self._models.approvals.find(approval_id)
        if approval is not None and waits_for_operator(approval) and has_text(approval):
            self.desk.edit(approval)

    def _reject(self, approval_id: object) -> None:
        self.list.select(approval_id)
        approval = self._models.approvals.find(approval_id)
        if approval is not None and waits_for_operator(approval):
            self.desk.ask_reason(approval)

    def _open_chat(self) -> None:
        approval = self.list.current()
        if approval is not None:
            self._intents.open_chat.emit(approval.chat_id)

    def _turn_to(self, shown: QWidget) -> None:
        """Show the list or the empty state; the focus stays where it was, not at whatever comes next."""
        here = self.focus_widget()
        if shown is not here:
            had_focus = here.hasFocus() or here.isAncestorOf(self.focusWidget() or self)
            self._stack.setCurrentWidget(shown)
            if had_focus:
                shown.setFocus()

    def _count(self) -> None:
        waiting = self._models.approvals.waiting_count
        if self._models.approvals.loaded:
            words = self.tr("Planned messages appear here before they are sent.")
            self._empty.say(self.tr("Nothing waits for you"), words, self._ways_to_begin, loud=Kind.UNREAL)
        else:
            self._empty.say(self.tr("Starting…"), "")
        self._turn_to(self.list if self._models.approvals.rowCount() else self._empty)
        self._legend.setVisible(self._models.approvals.rowCount() > 0)
        self.badge_changed.emit(waiting)
        self.subtitle_changed.emit(self.tr("{n} waiting, oldest first").format(n=waiting) if waiting else "")
