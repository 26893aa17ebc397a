"""What the operator decides, on its way down to the engine and the answer on its way up."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from chimein_gui.domain.approvals import (
    Approval,
    Approve,
    ApproveEdited,
    AskReason,
    Decision,
    Outcome,
    Reject,
    Undo,
    Verdict,
)
from chimein_gui.domain.errors import ChimeinError
from chimein_gui.domain.ids import MessageId

if TYPE_CHECKING:
    from chimein_gui.domain.ids import ApprovalId
    from chimein_gui.engine.ports import Spawn
    from chimein_gui.viewmodels.approvals import ApprovalListModel
    from chimein_gui.viewmodels.bridge import EngineBridge
    from chimein_gui.viewmodels.chats import ChatTreeModel
    from chimein_gui.viewmodels.console import Console


class ApprovalActions(QObject):
    """The verbs of a card. Each is one call down; lists change when the events come back.

    Attributes:
        decision_answered: An `Outcome`, after the lists have taken its snapshot.
        acknowledgement_changed: Another press is needed, or no more; carries the approval id.
        failed: A decision could not be made; nothing was decided.
    """

    decision_answered = Signal(object)
    acknowledgement_changed = Signal(object)
    failed = Signal(str)

    def __init__(
        self,
        bridge: EngineBridge,
        approvals: ApprovalListModel,
        chats: ChatTreeModel,
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._bridge, self._approvals, self._chats = bridge, approvals, chats
        self._console: Console | None = None
        self._spawn: Spawn | None = None
        self._in_flight: set[ApprovalId] = set()
        self._acknowledged: dict[ApprovalId, tuple[int, MessageId]] = {}
        self._explanations: dict[ApprovalId, str] = {}

    def attach(self, console: Console, spawn: Spawn) -> None:
        """Remember whom to ask."""
        self._console, self._spawn = console, spawn

    def approve(self, approval: Approval) -> None:
        """Send it as it is; where the conversation changed, the first press only acknowledges that."""
        if self._may_pass(approval):
            self._decide(approval, Approve())

    def approve_edited(self, approval: Approval, text: str) -> None:
        """Send the operator's text instead."""
        if self._may_pass(approval):
            self._decide(approval, ApproveEdited(text))

    def reject(self, approval: Approval, reason: str = "") -> None:
        """Do not send it."""
        self._decide(approval, Reject(reason))

    def undo(self, approval: Approval) -> None:
        """Take an approval back."""
        self._decide(approval, Undo())

    def is_acknowledged(self, approval: Approval) -> bool:
        """Tell whether the next press on a changed conversation's card decides."""
        seen = self._acknowledged.get(approval.approval_id)
        return seen is not None and seen == (approval.version, self._newest(approval))

    def explanation_of(self, approval_id: ApprovalId) -> str:
        """Return why the last press did not count; empty once one did."""
        return self._explanations.get(approval_id, "")

    def is_in_flight(self, approval_id: ApprovalId) -> bool:
        """Tell whether a decision waits for its answer."""
        return approval_id in self._in_flight

    def _newest(self, approval: Approval) -> MessageId:
        chat = self._chats.chat(approval.chat_id)
        return max(approval.seen_up_to, chat.newest_in_id if chat else MessageId(0))

    def _may_pass(self, approval: Approval) -> bool:
        if AskReason.CHANGED not in approval.reasons or self.is_acknowledged(approval):
            return True
        self._acknowledge(approval)
        return False

    def _acknowledge(self, approval: Approval) -> None:
        self._acknowledged[approval.approval_id] = (approval.version, self._newest(approval))
        self.acknowledgement_changed.emit(approval.approval_id)

    def _decide(self, approval: Approval, decision: Decision) -> None:
        if self._console is None or self._spawn is None or approval.approval_id in self._in_flight:
            return
        self._in_flight.add(approval.approval_id)
        seen = self._newest(approval) if self.is_acknowledged(approval) else approval.seen_up_to
        self._spawn(self._ask(self._console, approval, decision, seen), name=f"decide {approval.approval_id}")

    async def _ask(self, console: Console, approval: Approval, decision: Decision, seen: MessageId) -> None:
        approval_id = approval.approval_id
        try:
            outcome = await console.decide(
                approval_id,
                expected_version=approval.version,
                decision=decision,
                seen_up_to=seen,
                client_id=os.urandom(16).hex(),  # as uuid4, whose module costs 6 ms at start
            )
        except (ChimeinError, LookupError) as error:
            reason = str(error)
            self._bridge.deliver(lambda: self._fail(approval, reason))
        else:
            self._bridge.deliver(lambda: self._answer(outcome))
        finally:
            self._in_flight.discard(approval_id)

    def _fail(self, approval: Approval, reason: str) -> None:
        self.failed.emit(reason)
        self._approvals.tell(approval)

    def _answer(self, outcome: Outcome) -> None:
        if outcome.verdict is Verdict.ACCEPTED:
            self._explanations.pop(outcome.approval.approval_id, None)
        else:
            self._explanations[outcome.approval.approval_id] = outcome.explanation
        self._approvals.take(outcome.approval)
        if outcome.verdict is Verdict.CHANGED:
            # The press that was refused counts as the first of the two on the refreshed card.
            self._acknowledge(outcome.approval)
        elif outcome.verdict is Verdict.ACCEPTED:
            self._acknowledged.pop(outcome.approval.approval_id, None)
        self.decision_answered.emit(outcome)
