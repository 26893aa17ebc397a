"""Planned sends outside the agent's plans: the operator's own messages, and old sends that are offered again.

"Send anyway", "send this one" and an undone rejection each make a new planned send that waits for the operator's
decision; no rule decides on it. An undone rejection stays in its plan. See docs/behaviour.md, "Send anyway". Functions
that take a transaction run on the writer thread.
"""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

from chimein_gui.domain.approvals import RESENT, Approval, AskReason, Verdict, may_be_resent, may_be_returned
from chimein_gui.domain.events import ApprovalRequested, ChatChanged, EngineEvent, TaskStatusChanged
from chimein_gui.domain.plans.planned_steps import PlannedStep, PromptCoverage
from chimein_gui.domain.prompt.spans import PromptSpan
from chimein_gui.domain.tasks import Origin
from chimein_gui.engine.approvals.admission import StepPosition, add_planned_send
from chimein_gui.engine.planning.undo_rejection import undo_rejection
from chimein_gui.engine.ports import DecisionRecord, GraphStanding, NewGraph
from chimein_gui.engine.tasks.transitions import has_left

if TYPE_CHECKING:
    from chimein_gui.domain.chats import Chat
    from chimein_gui.domain.ids import ApprovalId, MessageId
    from chimein_gui.engine.core.commits import UnitOfWork
    from chimein_gui.engine.core.environment import TransactionEnvironment
    from chimein_gui.engine.ports import Transaction

NO_PROMPT = PromptSpan()


def add_beside(  # noqa: PLR0913 - one fact each
    tx: Transaction,
    chat: Chat,
    step: PlannedStep,
    environment: TransactionEnvironment,
    *,
    origin: Origin,
    covers_up_to: MessageId,
    draft_text: str | None = None,
    span: PromptSpan = NO_PROMPT,
) -> Approval:
    """Store one planned send in a plan of its own, which no replan replaces.

    Args:
        tx: The transaction; FULL, because it may decide.
        chat: The conversation.
        step: The content to send.
        environment: Preferences, time and the state of accounts.
        origin: OPERATOR is approved at once, unless a hold makes it ask; any other origin waits for a decision.
        covers_up_to: The newest incoming message it answers.
        draft_text: The model's text, if it differs from the step's text.
        span: The messages in its prompt, so that an edit or delete of them still makes it stale.
    """
    graph_id = tx.graphs.add(
        NewGraph(chat.chat_id, environment.now(), origin=origin, standing=GraphStanding.BESIDE, span=span)
    )
    place = StepPosition(chat, graph_id, (), 1)
    seen = PromptCoverage(tx.revision, covers_up_to)
    return add_planned_send(tx, place, step, seen, environment, draft_text=draft_text)


def requested(tx: Transaction, approval: Approval) -> list[EngineEvent]:
    """Return the events that show a new planned send and its chat."""
    return [ApprovalRequested(approval, tx.revision), ChatChanged(tx.chats.get(approval.chat_id), tx.revision)]


SEND_ANYWAY = "SendAnyway"
"""Name of "send anyway" in the decision log."""


class SendAnyway:
    """Offers a send again that was superseded after approval, observed, refused by Telegram, or rejected by mistake.

    A rejection is final in the state tables and may have let later steps begin, so a new planned send is made.
    """

    def __init__(self, unit: UnitOfWork, environment: TransactionEnvironment) -> None:
        self._unit = unit
        self._environment = environment

    async def ask(self, approval_id: ApprovalId, *, client_id: str) -> Approval | None:
        """Make a new planned send from an old one; it waits for a decision like any draft.

        Args:
            approval_id: The old card.
            client_id: Made by the caller; repeating a press with the same one gives the same card.

        Returns:
            The new card; None if the old one can't be offered again.

        Raises:
            NotFoundError: There is no such card.
            StoreError: Nothing was stored.
        """
        work = partial(self._ask, approval_id=approval_id, client_id=client_id)
        return await self._unit.run(work)

    def _ask(
        self, tx: Transaction, *, approval_id: ApprovalId, client_id: str
    ) -> tuple[list[EngineEvent], Approval | None]:
        repeated = tx.decisions.of_client(client_id)
        if repeated is not None:
            return [], tx.approvals.get(repeated.approval_id)
        old = tx.approvals.get(approval_id)
        is_wanted = may_be_resent(old) or _may_return(tx, old)
        if not is_wanted or has_left(tx, old):  # another copy could repeat parts that have arrived or may have arrived
            return [], None
        if may_be_returned(old) and tx.graphs.get(old.graph_id).standing is GraphStanding.CURRENT:
            events, approval = undo_rejection(tx, old, self._environment, client_id=client_id)
            events.append(ChatChanged(tx.chats.get(old.chat_id), tx.revision))
        else:
            approval = self._set_beside(tx, old)
            events = requested(tx, approval)
        record = DecisionRecord(
            client_id,
            approval.approval_id,
            approval.version,
            SEND_ANYWAY,
            approval.text,
            Verdict.ACCEPTED,
            self._environment.now(),
        )
        tx.decisions.add(record)
        return [*events, TaskStatusChanged(tx.approvals.get(approval_id), tx.revision)], approval

    def _set_beside(self, tx: Transaction, old: Approval) -> Approval:
        """Make the new planned send in a plan of its own."""
        cut_off = AskReason.CUT_OFF in old.reasons
        step = PlannedStep(old.kind, old.text, old.reply_to_id, old.sticker, is_cut_off=cut_off, file=old.file)
        chat = tx.chats.get(old.chat_id)
        approval = add_beside(
            tx,
            chat,
            step,
            self._environment,
            origin=Origin.PLAN,
            covers_up_to=old.covers_up_to,
            draft_text=old.draft_text,
            span=tx.graphs.get(old.graph_id).span,
        )
        tx.approvals.save(replace(old, note=RESENT))
        return approval


def _may_return(tx: Transaction, old: Approval) -> bool:
    """Tell whether a rejected draft may come back: no other plan has taken its place.

    While another is being made it may, as the rest of the old plan is in sight until then.
    """
    current = tx.graphs.current_of(old.chat_id)
    return may_be_returned(old) and (current is None or current.graph_id <= old.graph_id)
