"""Executes the actions of a card; a signal asks the pane for a text field or a menu if one is needed."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QCoreApplication, QObject, QPoint, Signal
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QMenu, QWidget

from chimein_gui.domain.approvals import Approval, Outcome, Verdict, may_be_returned
from chimein_gui.domain.tasks import TaskStatus
from chimein_gui.ui.panes.approvals.actions.plan_row import approve_words, reject_words
from chimein_gui.ui.requests import EditInChat, MaximizePane, SelectDraft, ShowChat, ShowTrace
from chimein_gui.ui.widgets.controls.overflow import Entry, offer_first
from chimein_gui.ui.widgets.controls.spoken_role import announce
from chimein_gui.ui.widgets.surfaces.menus import open_menu
from chimein_gui.ui.widgets.text import foreign_text
from chimein_gui.viewmodels.approvals.available_actions import (
    Action,
    available_actions,
    has_trace,
    must_tick,
    state_of,
)
from chimein_gui.viewmodels.approvals.card_words import has_text
from chimein_gui.viewmodels.approvals.store import OPERATOR, waits_for_operator
from chimein_gui.viewmodels.drafts.open_editor import EditorPlace
from chimein_gui.viewmodels.panes.approvals import make_approvals
from chimein_gui.viewmodels.traces.words import trace_action
from chimein_gui.viewmodels.words.later import later_choices

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from chimein_gui.domain.events import VariantStored
    from chimein_gui.ui.pane import PaneContext
    from chimein_gui.viewmodels.approvals.available_actions import AvailableAction


_IN_MENU = frozenset({Action.REGENERATE, Action.STOP, Action.SHOW, Action.DELETE})
"""Actions that the menu "…" of a card has, whether their button fits or not."""


class CardActions(QObject):
    """The actions of the list, the wide card and the shortcuts; there is one per pane.

    Attributes:
        edit_wanted: Edit the text of this card.
        reason_wanted: Ask why it is rejected.
        plan_reason_wanted: Ask why its whole plan is rejected.
        instruction_wanted: Ask how another version should differ.
        tick_wanted: Show the checkbox that must be ticked before this card can be approved.
        deleting_wanted: Ask whether the sent message shall be deleted for everyone.
        has_slipped: Tells whether the current card replaced a decided one by itself; set by the pane.
        shows_whole_card: Whether the pane is wide enough for the whole card with its versions; set by the pane.
    """

    edit_wanted = Signal(object)
    reason_wanted = Signal(object)
    plan_reason_wanted = Signal(object)
    instruction_wanted = Signal(object)
    tick_wanted = Signal(object)
    deleting_wanted = Signal(object)

    def __init__(self, context: PaneContext, parent: QWidget) -> None:
        super().__init__(parent)
        self._context, self._models, self._window = context, context.models, parent
        self._batch = context.own(make_approvals).batch
        self.has_slipped: Callable[[], bool] = lambda: False
        self.shows_whole_card = False
        self._toast = 0
        self._announced: Approval | None = None
        self._last: Approval | None = None
        self._rejected_toast = 0
        self._models.approvals.put.connect(self._forget_toast)
        self._models.actions.decision_answered.connect(self._tell)
        self._version_toast = 0
        self._models.regenerations.stored.connect(self._tell_version)
        self._models.regenerations.choosing.connect(lambda *_: self._models.toasts.dismiss(self._version_toast))
        self._models.clock.ticked.connect(self._tell_anew)
        self._models.approvals.send_status.words_changed.connect(self._tell_anew)
        self._models.holds.changed.connect(self._tell_anew)

    def do(self, action: str, approval: Approval | None) -> None:
        """Execute an action, if the card is still in a state that offers it.

        An undo that does not apply to the card, or without a card, undoes the last decision.
        """
        if action in (Action.UNDO, Action.HOLD) and self._undo_other(action, approval):
            return
        if approval is None:
            return
        if action in (Action.SHOW, Action.TRACE):
            _lead(self._context, action, approval)
            return
        if waits_for_operator(approval):
            self._decide(action, approval)
        if approval.by_rule and self._is_offered(Action.HOLD, approval):
            self._decide_now(action, approval)
        if approval.task_status in (TaskStatus.FAILED, TaskStatus.SKIPPED):
            self._go_on(action, approval)
        match action:
            case Action.STOP:
                self._models.regenerations.stop(approval)
            case Action.UNDO | Action.HOLD if approval.task_status is TaskStatus.APPROVED:
                self._models.draft_commands.stop(approval)
            case Action.DELETE:
                self.deleting_wanted.emit(approval)

    def _go_on(self, action: str, failed: Approval) -> None:
        """Execute an action on a failed or skipped send."""
        models = self._models
        match action:
            case Action.UNDO if may_be_returned(failed):
                self._return(failed)
            case Action.ASK_AGAIN:
                models.draft_commands.resend(failed)
            case Action.PLAN_AGAIN:
                models.waits.plan_now(failed.chat_id)
                models.approvals.dismiss(failed.approval_id)
            case Action.DISMISS:
                models.approvals.dismiss(failed.approval_id)

    def _decide(self, action: str, approval: Approval) -> None:
        elsewhere = self._models.open_editor.is_elsewhere(approval.approval_id, EditorPlace.APPROVALS)
        match action:
            case Action.GO_TO_EDITOR:
                self._context.requests.send(EditInChat(approval.chat_id, approval.approval_id))
            case _ if elsewhere and action != Action.EDIT:
                pass  # its text is being edited in the conversation
            case Action.APPROVE if must_tick(approval, self._models.actions):
                self.tick_wanted.emit(approval)
            case Action.APPROVE:
                self._models.actions.approve(approval)
            case Action.EDIT if has_text(approval):
                self.edit_wanted.emit(approval)
            case Action.REJECT:
                self.reason_wanted.emit(approval)
            case Action.REGENERATE if self._is_offered(action, approval):
                self.instruction_wanted.emit(approval)

    def _decide_now(self, action: str, approval: Approval) -> None:
        """Decide on a send that a rule has approved, before its countdown ends."""
        commands = self._models.draft_commands
        match action:
            case Action.APPROVE:
                commands.approve(approval)
            case Action.EDIT if has_text(approval):
                commands.then(approval, self.edit_wanted.emit)
            case Action.REJECT:
                commands.then(approval, self.reason_wanted.emit)

    def pop_menu(self, action: str, approval: Approval, place: QPoint, behind: Iterable[AvailableAction] = ()) -> QMenu:
        """Open the menu of an action: the times for Later, the choices for the plan, or all further actions.

        Args:
            action: The action.
            approval: The card.
            place: Position on the screen.
            behind: Actions whose buttons do not fit.
        """
        menu = QMenu(self._window)
        menu.aboutToHide.connect(menu.deleteLater)
        if action == Action.LATER:
            self._add_later(menu, approval)
        elif action == Action.PLAN:
            self._add_plan(menu, approval)
        else:
            self._add_rest(menu, approval, tuple(behind))
        who = self.tr("{agent} to {who}").format(
            agent=foreign_text.name(approval.agent_name), who=foreign_text.name(approval.chat_title)
        )
        return open_menu(menu, place, who)

    def _is_offered(self, action: str, approval: Approval) -> bool:
        return any(one.action == action and one.allowed for one in self._actions(approval))

    def _actions(self, approval: Approval) -> tuple[AvailableAction, ...]:
        return available_actions(approval, state_of(approval, self._models))

    def _add_later(self, menu: QMenu, approval: Approval) -> None:
        models = self._models
        for choice in later_choices(models.clock.now()):
            self._add(menu, choice.words, partial(models.actions.postpone, approval, choice.until))
        if approval.postponed_until is not None and approval.postponed_until > models.clock.now():
            menu.addSeparator()
            self._add(menu, self.tr("Bring back now"), lambda: models.actions.postpone(approval, None))

    def _add_plan(self, menu: QMenu, approval: Approval) -> None:
        rest = self._models.card.rest_of_plan(approval)
        if len(rest) > 1:
            batch = self._batch
            found = batch.sort(rest)
            self._add(
                menu, approve_words(found, rest), partial(batch.approve, rest), enabled=bool(found.ready)
            ).setToolTip(found.words())
            self._add(menu, reject_words(found, rest), partial(batch.reject, rest), enabled=bool(found.read))
            menu.setToolTipsVisible(True)
        self._add(menu, self.tr("Reject the whole plan…"), lambda: self.plan_reason_wanted.emit(approval))

    def _add_rest(self, menu: QMenu, approval: Approval, behind: tuple[AvailableAction, ...]) -> None:
        for available in self._actions(approval):
            if available not in behind and available.action in _IN_MENU:
                self._add(menu, available.words, partial(self.do, available.action, approval))
        if waits_for_operator(approval):
            later, plan = QMenu(self.tr("Later"), menu), QMenu(self.tr("Whole plan"), menu)
            self._add_later(later, approval)
            self._add_plan(plan, approval)
            menu.addMenu(later)
            menu.addMenu(plan)
            batch = self._batch
            words = self.tr("Deselect") if batch.is_selected(approval.approval_id) else self.tr("Select")
            self._add(menu, words, partial(batch.toggle, approval))
        self._add(menu, self.tr("Open the whole card"), lambda: self._context.requests.send(MaximizePane("approvals")))
        self._add(menu, self.tr("Show in chat"), lambda: self.do(Action.SHOW, approval))
        if has_trace(approval):
            self._add(menu, trace_action(), partial(self.do, Action.TRACE, approval))
        offer_first(menu, (Entry(one.words, partial(self.do, one.action, approval), one.why_not) for one in behind))

    def _add(self, menu: QMenu, words: str, do: Callable[[], object], *, enabled: bool = True) -> QAction:
        entry = QAction(words, menu)
        entry.setEnabled(enabled)
        entry.triggered.connect(lambda _checked=False: do())
        menu.addAction(entry)
        return entry

    def _tell(self, outcome: Outcome) -> None:
        """Show a toast with Undo after an approval, unless the operator sees the card itself."""
        card, models = outcome.approval, self._models
        accepted = outcome.verdict is Verdict.ACCEPTED
        if accepted and may_be_returned(card):
            self._tell_rejected(card)
        if not accepted or card.task_status is not TaskStatus.APPROVED or card.decided_by != OPERATOR:
            return
        models.toasts.dismiss(self._toast)
        self._announced = self._last = card
        words = self.tr("Approved for {who}").format(who=foreign_text.isolated(card.chat_title))
        if self._is_seen(card):
            _announce(self._window, words, models.approvals.status_words_of(card))
            return
        self._toast = models.toasts.show(
            words,
            self.tr("Undo"),
            lambda: self._undo(card),
            detail=models.approvals.status_words_of(card),
            icon="check",
            token="ok",
        )

    def _tell_rejected(self, card: Approval) -> None:
        """Show a toast with Undo after a rejection, unless the operator sees the card itself."""
        toasts = self._models.toasts
        toasts.dismiss(self._rejected_toast)
        self._last = card
        words = self.tr("Rejected for {who}").format(who=foreign_text.isolated(card.chat_title))
        if self._is_seen(card, drafts=False):
            _announce(self._window, words)
            return
        self._rejected_toast = toasts.show(words, self.tr("Undo"), partial(self._return, card), icon="x", token="text2")

    def _undo_other(self, action: str, approval: Approval | None) -> bool:
        """Undo the last decision, unless the card itself can be undone; return whether the key press was used."""
        batch = self._batch
        if approval is not None and (approval.task_status is TaskStatus.APPROVED or may_be_returned(approval)):
            if action != Action.UNDO:
                return False
            if approval.by_rule and self.has_slipped():  # Z means what was decided; once more stops the countdown
                return batch.undo() or self._undo_last()
            return batch.is_undone_with(approval.approval_id) and batch.undo()
        if not batch.undo():
            self._undo_last()
        return True

    def _undo_last(self) -> bool:
        """Undo the last decision; return whether that was still possible."""
        last = self._last
        if last is not None and may_be_returned(last):
            shown = self._models.approvals.find(last.approval_id) is not None or self._tells_of_rejected()
            if shown:
                self._return(last)
            return shown
        mine = [one for one in self._models.approvals.items() if _may_be_undone(one)]
        latest = max(mine, key=lambda one: (one.decided_at or one.created_at, self._is_last(one)), default=None)
        if latest is not None:
            self._undo(latest)
        return latest is not None

    def _is_last(self, card: Approval) -> bool:
        return self._last is not None and card.approval_id == self._last.approval_id

    def _tells_of_rejected(self) -> bool:
        shown = self._models.toasts.current
        return shown is not None and shown.number == self._rejected_toast

    def _return(self, card: Approval) -> None:
        """Undo a rejection: a new card with the same text replaces it."""
        self._last = None
        self._models.toasts.dismiss(self._rejected_toast)
        self._models.draft_commands.resend(card)

    def _is_seen(self, card: Approval, *, drafts: bool = True) -> bool:
        """Tell whether the result of a decision is visible: in the list, or (`drafts`) on the draft in its chat."""
        if self._window.isVisible() and not self._window.visibleRegion().isEmpty():
            return True
        chat = self._models.transcript.chat
        return drafts and chat is not None and chat.chat_id == card.chat_id

    def _tell_version(self, stored: VariantStored) -> None:
        """Show a toast for a new version, unless the whole card, which shows versions, is visible."""
        models = self._models
        of_chat = models.approvals.of_chat(stored.chat_id)
        plan = [one for one in of_chat if one.graph_id == stored.graph.variant_of and waits_for_operator(one)]
        if not plan or (self.shows_whole_card and models.card.approval in plan):
            return
        words = self.tr("New version for {who}").format(who=foreign_text.isolated(plan[0].chat_title))
        look = partial(self._look_at_version, plan[0])
        self._version_toast = models.toasts.show(words, self.tr("Show"), look, icon="refresh", token="info")

    def _look_at_version(self, card: Approval) -> None:
        self._context.requests.send(SelectDraft(card.approval_id))
        if not self.shows_whole_card:
            self._context.requests.send(MaximizePane("approvals"))

    def _tell_anew(self) -> None:
        """Update the toast, so that it shows the same remaining time as the card."""
        now = self._models.approvals.find(self._announced.approval_id) if self._announced is not None else None
        if now is not None:
            self._models.toasts.rewrite(self._toast, self._models.approvals.status_words_of(now))

    def _forget_toast(self, card: Approval) -> None:
        """Hide the toast when the approval can't be undone any more: it was sent, or undone."""
        last = self._announced
        if last is not None and card.approval_id == last.approval_id and card.task_status is not TaskStatus.APPROVED:
            self._announced = None
            self._models.toasts.dismiss(self._toast)
            if waits_for_operator(card):
                words = self.tr("Waits for you again: {who}").format(who=foreign_text.isolated(card.chat_title))
                announce(self._window, words)

    def _undo(self, card: Approval) -> None:
        now = self._models.approvals.find(card.approval_id)
        if now is not None:
            self._context.requests.send(SelectDraft(card.approval_id))
            self.do(Action.UNDO, now)


def _may_be_undone(card: Approval) -> bool:
    """Tell whether the operator has approved it, and it was not sent yet."""
    return card.task_status is TaskStatus.APPROVED and card.decided_by == OPERATOR


def _lead(context: PaneContext, action: str, approval: Approval) -> None:
    """Show the chat of a card, or how its plan came about; what the operator wrote has no trace."""
    if action == Action.SHOW:
        context.requests.send(ShowChat(approval.chat_id))
    elif has_trace(approval):
        context.requests.send(ShowTrace(approval.graph_id))


def _announce(window: QWidget, *words: str) -> None:
    """Announce a result that is seen where it happened, and that it can be undone."""
    announce(window, ". ".join((*(one for one in words if one), QCoreApplication.translate("CardActions", "Undo"))))
