"""Sends the operator's decisions to the engine and receives the outcomes."""

from __future__ import annotations

import os
from functools import partial
from typing import TYPE_CHECKING, Protocol

from PySide6.QtCore import QObject, Signal

from chimein_gui.domain.approvals import (
    Approval,
    Approve,
    ApproveEdited,
    Decision,
    Edit,
    Outcome,
    Postpone,
    Reject,
    RejectPlan,
    Undo,
    Verdict,
)
from chimein_gui.viewmodels.approvals.card_words import is_message
from chimein_gui.viewmodels.words.errors import error_words, is_answer
from chimein_gui.viewmodels.words.notes import note_sentence

if TYPE_CHECKING:
    from collections.abc import Callable
    from datetime import datetime

    from chimein_gui.domain.approvals import RejectionCause
    from chimein_gui.domain.ids import ApprovalId, ChatId, Revision
    from chimein_gui.engine.ports import Spawn
    from chimein_gui.viewmodels.approvals.store import ApprovalStore
    from chimein_gui.viewmodels.core.bridge import EngineBridge
    from chimein_gui.viewmodels.engine_api.cards import DecisionsService, EditorsService


class DecidingApi(Protocol):
    """What this model asks of the engine."""

    @property
    def decisions(self) -> DecisionsService:
        """Decides on planned sends."""
        ...

    @property
    def editors(self) -> EditorsService:
        """Open editors."""
        ...


class ApprovalActions(QObject):
    """The commands of a card. Each is one engine call; lists change when its events arrive.

    Attributes:
        decision_answered: An `Outcome`, emitted after the lists have its snapshot.
        acknowledgement_changed: A card needs another press, or no longer does; carries its approval id.
        edit_kept: The `Outcome` of saving an edit, which decides nothing.
        about_to_approve: A card is about to be approved as it is; an editor with newer text calls `keep_edit` now.
        failed: A decision failed and nothing was decided; the reason in words.
        recovered: The card whose decision failed last was decided or saved on a later try.
        ending: The program is about to end; editors save unsaved text now.
    """

    decision_answered = Signal(object)
    acknowledgement_changed = Signal(object)
    edit_kept = Signal(object)
    about_to_approve = Signal(object)
    failed = Signal(str)
    recovered = Signal()
    ending = Signal()

    def __init__(
        self,
        bridge: EngineBridge,
        approvals: ApprovalStore,
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._bridge, self._approvals = bridge, approvals
        self._api: DecidingApi | None = None
        self._spawn: Spawn | None = None
        self._in_flight: set[ApprovalId] = set()
        self._edits = 0
        self._failed: ApprovalId | None = None
        self._acknowledged: dict[ApprovalId, tuple[int, Revision]] = {}
        self._explanations: dict[ApprovalId, str] = {}
        self._saved_first: set[ApprovalId] = set()
        self._carried: dict[ApprovalId, frozenset[str]] = {}

    def attach(self, api: DecidingApi, spawn: Spawn) -> None:
        """Keep the engine to query."""
        self._api, self._spawn = api, spawn
        self._in_flight.clear()

    def approve(self, approval: Approval) -> None:
        """Approve a card as it is.

        On a changed conversation, or for what cannot be undone, the first press only acknowledges.
        """
        if not self._may_pass(approval):
            return
        as_it_is = self.ready_to_approve(approval)
        if as_it_is is not None:
            self._decide(approval, as_it_is)

    def ready_to_approve(self, approval: Approval) -> Approve | None:
        """Return the decision that approves a card as it is; None if an editor had newer text, which is saved first."""
        before = self._edits
        self.about_to_approve.emit(approval)
        if self._edits == before:
            return Approve(self._carried.get(approval.approval_id, frozenset()))
        # The text that would be sent is not the one that was shown when the operator approved.
        self._saved_first.add(approval.approval_id)
        self._approvals.tell(approval)
        return None

    def approve_edited(self, approval: Approval, text: str) -> None:
        """Approve the operator's text instead of the draft's; acknowledges first where `approve` does."""
        if self._may_pass(approval):
            self._decide(approval, ApproveEdited(text, self._carried.get(approval.approval_id, frozenset())))

    def carry(self, approval_id: ApprovalId, texts: frozenset[str]) -> None:
        """Remember saved edits of earlier drafts that continue on this one: approving it removes them.

        Args:
            approval_id: The draft that replaced the earlier ones.
            texts: The saved texts; an empty set clears them.
        """
        self._carried.pop(approval_id, None)
        if texts:
            self._carried[approval_id] = texts

    def keep_edit(self, approval: Approval, text: str) -> bool:
        """Save the operator's text on its card. Returns False while a decision on the card is being saved."""
        if approval.approval_id in self._in_flight:
            return False
        self._edits += 1
        self._saved_first.discard(approval.approval_id)
        self._decide(approval, Edit(text))
        return True

    def reject(self, approval: Approval, reason: str = "", cause: RejectionCause | None = None) -> None:
        self._decide(approval, Reject(reason, cause))

    def reject_plan(self, approval: Approval, reason: str = "", cause: RejectionCause | None = None) -> None:
        """Reject this card and all the rest of its plan."""
        self._decide(approval, RejectPlan(reason, cause))

    def postpone(self, approval: Approval, until: datetime | None) -> None:
        """Postpone the decision; None ends the postponement now."""
        self._decide(approval, Postpone(until))

    def acknowledge(self, approval: Approval, *, seen: bool) -> None:
        """Record or withdraw that the operator has read the changes; a newer change withdraws it too."""
        if seen:
            self._acknowledge(approval)
        elif self._acknowledged.pop(approval.approval_id, None) is not None:
            self.acknowledgement_changed.emit(approval.approval_id)

    def undo(self, approval: Approval) -> None:
        """Undo an approval."""
        self._decide(approval, Undo())

    def is_acknowledged(self, approval: Approval) -> bool:
        """Tell whether a card that needs two presses has had the first one."""
        seen = self._acknowledged.get(approval.approval_id)
        return _asks_twice(approval) and seen == (approval.version, approval.changed_at)

    def seen_of(self, approval: Approval) -> Revision:
        """Return the revision up to which the operator has seen a card's conversation: the latest once acknowledged."""
        return approval.changed_at if approval.is_stale and self.is_acknowledged(approval) else approval.seen_up_to

    def explanation_of(self, approval_id: ApprovalId) -> str:
        """Return why the last press was refused; empty after one that was accepted."""
        if approval_id in self._saved_first:
            return self.tr("Your edit was saved first. Approve again to send it.")
        return self._explanations.get(approval_id, "")

    def is_in_flight(self, approval_id: ApprovalId) -> bool:
        """Tell whether a decision on this card is being saved."""
        return approval_id in self._in_flight

    def begin_edit(self, chat_id: ChatId) -> None:
        """Tell the engine that an editor is open on a draft of this chat: nothing is sent automatically meanwhile."""
        if self._api is not None:
            self._api.editors.begin(chat_id)

    def end_edit(self, chat_id: ChatId) -> None:
        """Tell the engine that the editor is closed."""
        if self._api is not None:
            self._api.editors.end(chat_id)

    def _may_pass(self, approval: Approval) -> bool:
        if not _asks_twice(approval) or self.is_acknowledged(approval):
            return True
        self._acknowledge(approval)
        return False

    def _acknowledge(self, approval: Approval) -> None:
        self._acknowledged[approval.approval_id] = (approval.version, approval.changed_at)
        self.acknowledgement_changed.emit(approval.approval_id)

    def _decide(self, approval: Approval, decision: Decision) -> None:
        if self._api is None or self._spawn is None or approval.approval_id in self._in_flight:
            return
        self._in_flight.add(approval.approval_id)
        self._spawn(
            self._ask(self._api, approval, decision, self.seen_of(approval)), name=f"decide {approval.approval_id}"
        )

    async def _ask(self, api: DecidingApi, approval: Approval, decision: Decision, seen: Revision) -> None:
        approval_id = approval.approval_id
        try:
            outcome = await api.decisions.decide(
                approval_id,
                expected_version=approval.version,
                decision=decision,
                seen_up_to=seen,
                client_id=os.urandom(16).hex(),  # like uuid4, whose module takes 6 ms to import
            )
        except Exception as error:
            reason = error_words(error)

            def then() -> None:
                self._failed = approval_id
                self.failed.emit(reason)
                self._approvals.tell(approval)

            self._bridge.deliver(partial(self._settle, approval_id, then))
            if not is_answer(error):
                raise
        except BaseException:
            self._in_flight.discard(approval_id)
            raise
        else:
            if self._failed == approval_id:
                self._failed = None
                self._bridge.deliver(self.recovered.emit)
            taken = partial(self.take_answer, outcome, counts=not isinstance(decision, Approve))
            if isinstance(decision, Edit):
                taken = partial(self._take_kept, outcome)
            self._bridge.deliver(partial(self._settle, approval_id, taken))

    def _settle(self, approval_id: ApprovalId, then: Callable[[], None]) -> None:
        # Not earlier: a press between the engine's answer and its delivery would act on the old card.
        self._in_flight.discard(approval_id)
        then()

    def _take_kept(self, outcome: Outcome) -> None:
        if outcome.verdict is not Verdict.ACCEPTED and outcome.approval.approval_id in self._saved_first:
            self._saved_first.discard(outcome.approval.approval_id)
            self._explanations[outcome.approval.approval_id] = note_sentence(outcome.explanation)
        self._approvals.take(outcome.approval)
        self.edit_kept.emit(outcome)

    def take_answer(self, outcome: Outcome, *, counts: bool = True) -> None:
        """Apply the outcome of a decision on this card, or on a saved edit beside it.

        Args:
            outcome: The outcome.
            counts: A refusal because the conversation changed counts as the first of two presses. False for a plain
                approval: the operator learns of the change only by the refusal.
        """
        self._saved_first.discard(outcome.approval.approval_id)
        if outcome.verdict is Verdict.ACCEPTED:
            self._explanations.pop(outcome.approval.approval_id, None)
        else:
            self._explanations[outcome.approval.approval_id] = note_sentence(outcome.explanation)
        self._approvals.take(outcome.approval)
        if outcome.verdict is Verdict.CHANGED and counts:
            self._acknowledge(outcome.approval)
        elif outcome.verdict is Verdict.ACCEPTED:
            self._acknowledged.pop(outcome.approval.approval_id, None)
        self.decision_answered.emit(outcome)


def _asks_twice(approval: Approval) -> bool:
    return approval.is_stale or not is_message(approval)
