"""Planned sends that belong to no plan of the agent: the operator's own messages, and what he insists on.

Functions that take a transaction run on the writer thread.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from chimein_gui.domain.events import ApprovalRequested, ChatChanged
from chimein_gui.domain.plans.planned_steps import PromptCoverage
from chimein_gui.domain.prompt.spans import PromptSpan
from chimein_gui.engine.approvals.admission import StepPosition, add_planned_send
from chimein_gui.engine.ports import GraphStanding, NewGraph

if TYPE_CHECKING:
    from chimein_gui.domain.approvals import Approval
    from chimein_gui.domain.chats import Chat
    from chimein_gui.domain.events import EngineEvent
    from chimein_gui.domain.ids import MessageId
    from chimein_gui.domain.plans.planned_steps import PlannedStep
    from chimein_gui.domain.tasks import Origin
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
        step: What is to leave.
        environment: The outside.
        origin: OPERATOR is approved at once, unless a hold makes it ask; anything else waits for a decision.
        covers_up_to: The newest incoming message it answers.
        draft_text: What the model wrote, where that differs from the step's text.
        span: The messages its prompt held, so that an edit or a delete of them still speaks against it.
    """
    graph_id = tx.tasks.add_graph(
        NewGraph(chat.chat_id, environment.now(), origin=origin, standing=GraphStanding.BESIDE, span=span)
    )
    place = StepPosition(chat, graph_id, None, 1)
    seen = PromptCoverage(tx.revision, covers_up_to)
    return add_planned_send(tx, place, step, seen, environment, draft_text=draft_text)


def requested(tx: Transaction, approval: Approval) -> list[EngineEvent]:
    """Return the events that show a new planned send and its chat."""
    return [ApprovalRequested(approval, tx.revision), ChatChanged(tx.chats.get(approval.chat_id), tx.revision)]
