"""Rows of the store that panes do not show: steps, plans, requests, waits."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from chimein_gui.domain.approvals import AskReason, RejectionCause, Verdict
from chimein_gui.domain.ids import (
    AccountId,
    AgentId,
    ApprovalId,
    ChatId,
    GraphId,
    LedgerId,
    MessageId,
    RandomId,
    Revision,
    TaskId,
)
from chimein_gui.domain.messages import TextEntity
from chimein_gui.domain.notes import Note
from chimein_gui.domain.plans.outgoing_files import OutgoingFile
from chimein_gui.domain.plans.stickers import StickerRef
from chimein_gui.domain.prompt.spans import NO_PROMPT, PromptSpan
from chimein_gui.domain.replies.problems import ReplyProblem
from chimein_gui.domain.tasks import ApprovalState, LedgerState, Origin, TaskKind, TaskStatus


@dataclass(frozen=True, slots=True)
class TaskRow:
    """One step of a plan.

    Attributes:
        task_id: Row id.
        chat_id: The conversation.
        graph_id: Its plan; None for a `received` task whose plan is not made yet.
        kind: Kind of the step.
        status: State.
        depends_on: The steps that must be settled before it, by id.
        position: Index in the plan, from 0.
        trigger_ids: For `received`: all unanswered messages that led to it, oldest first; the last is the target.
        attempts: How often it was started.
        crashes: How often the program ended while it ran.
        due_at: Earliest start, aware UTC; None = at once.
        reason: Why it is in its state, or None.
        wait_s: For `wait`: its length in seconds, counted from when it becomes ready.
        restarts: For `received`: how often newer triggers cancelled its model call.
        window_began_at: For `received`: when its first trigger came; limits the debounce.
    """

    task_id: TaskId
    chat_id: ChatId
    graph_id: GraphId | None
    kind: TaskKind
    status: TaskStatus
    depends_on: tuple[TaskId, ...]
    position: int
    trigger_ids: tuple[MessageId, ...]
    attempts: int
    due_at: datetime | None
    reason: Note | None
    crashes: int = 0
    wait_s: float | None = None
    restarts: int = 0
    window_began_at: datetime | None = None


class GraphStanding(StrEnum):
    """Relation of a plan to its chat."""

    CURRENT = "current"
    VARIANT = "variant"
    BESIDE = "beside"
    """No plan of the agent: the operator's own messages, "send anyway"."""
    PAST = "past"
    RETIRED = "retired"
    """A variant that was not chosen, or the instruction of one that was not made."""


@dataclass(frozen=True, slots=True)
class GraphRow:
    """One plan.

    Attributes:
        graph_id: Row id.
        chat_id: The conversation.
        origin: Who made it.
        standing: Its relation to the chat.
        variant_of: For a variant: the plan it could replace.
        trigger_ids: The messages it answers, oldest first; the last is the target.
        span: The messages in its prompt.
        instruction: The operator's instruction of a regenerate, or empty.
        problems: Parts of the reply that were left out or changed.
        lost_rule: It was held, so no rule decides for it any more.
        failed: Why it was archived as failed, or None.
        created_at: Aware UTC.
    """

    graph_id: GraphId
    chat_id: ChatId
    origin: Origin
    standing: GraphStanding
    variant_of: GraphId | None
    trigger_ids: tuple[MessageId, ...]
    span: PromptSpan
    instruction: str
    problems: tuple[ReplyProblem, ...]
    lost_rule: bool
    failed: Note | None
    created_at: datetime


@dataclass(frozen=True, slots=True)
class NewGraph:
    """A plan to be stored; the fields are those of `GraphRow`."""

    chat_id: ChatId
    created_at: datetime
    origin: Origin = Origin.PLAN
    standing: GraphStanding = GraphStanding.CURRENT
    variant_of: GraphId | None = None
    trigger_ids: tuple[MessageId, ...] = ()
    span: PromptSpan = NO_PROMPT
    instruction: str = ""
    problems: tuple[ReplyProblem, ...] = ()


@dataclass(frozen=True, slots=True)
class NewApproval:
    """A planned send to be stored with its graph; the fields are those of `Approval`."""

    task_id: TaskId
    state: ApprovalState
    text: str
    reply_to_id: MessageId | None
    reasons: tuple[AskReason, ...]
    seen_up_to: Revision
    created_at: datetime
    sticker: StickerRef | None = None
    file: OutgoingFile | None = None
    changed_at: Revision = Revision(0)
    covers_up_to: MessageId = MessageId(0)
    newer: int = 0
    draft_text: str | None = None
    """What the model wrote, if it differs from `text`."""
    due_at: datetime | None = None
    decided_at: datetime | None = None
    decided_by: str = ""
    note: Note | None = None


@dataclass(frozen=True, slots=True)
class LedgerRow:
    """One outgoing request: a part of a text, a sticker, a block.

    Attributes:
        ledger_id: Row id.
        approval_id: The decision it belongs to.
        chat_id: The conversation.
        version: The approval's version; `random_id` identifies exactly its bytes.
        part: Part of a split message, from 0.
        random_id: Telegram's de-duplication number.
        state: State.
        origin: Who requested it.
        kind: Kind of the request.
        text: The exact text; for a sticker its name, for an action such as a block empty.
        entities: Formatting of `text`.
        sticker: The sticker, for the kind `sticker`.
        file: The photo or file, for the kind `file`.
        reply_to_id: The message it answers.
        up_to: For `clear-conversation`: the newest message id the operator saw.
        by_rule: A rule decided, so it counts for the caps.
        claimed_at: When it was claimed, aware UTC.
        message_id: The sent message.
    """

    ledger_id: LedgerId
    approval_id: ApprovalId
    chat_id: ChatId
    version: int
    part: int
    random_id: RandomId
    state: LedgerState
    origin: Origin
    kind: TaskKind
    text: str
    reply_to_id: MessageId | None
    entities: tuple[TextEntity, ...] = ()
    sticker: StickerRef | None = None
    up_to: MessageId = MessageId(0)
    by_rule: bool = False
    claimed_at: datetime | None = None
    message_id: MessageId | None = None
    file: OutgoingFile | None = None


@dataclass(frozen=True, slots=True)
class NewRequest:
    """A request to be stored in the transaction of the decision; the fields are those of `LedgerRow`."""

    part: int
    random_id: RandomId
    text: str
    entities: tuple[TextEntity, ...] = ()
    sticker: StickerRef | None = None
    up_to: MessageId = MessageId(0)
    file: OutgoingFile | None = None


@dataclass(frozen=True, slots=True)
class DecisionRecord:
    """One line of the decision log.

    Attributes:
        client_id: Made by the caller; repeating a decision with the same one has no effect.
        approval_id: The decided approval.
        version: The version the caller had seen.
        decision: Its name (``Approve`` …).
        text: The approved text, or the reason of a rejection.
        verdict: The result.
        at: Aware UTC.
        by: ``operator``, or the name of the rule.
        cause: The picked reason of a rejection.
    """

    client_id: str
    approval_id: ApprovalId
    version: int
    decision: str
    text: str
    verdict: Verdict
    at: datetime
    by: str = "operator"
    cause: RejectionCause | None = None


@dataclass(frozen=True, slots=True)
class ServerWait:
    """A wait that Telegram has requested.

    Attributes:
        account_id: The account that has to wait.
        chat_id: The chat, for SLOWMODE_WAIT; None if it applies to the account's method.
        method: Telegram's name of the method, such as ``messages.SendMessage``.
        until: Aware UTC, exactly as Telegram says.
    """

    account_id: AccountId
    chat_id: ChatId | None
    method: str
    until: datetime


class MemoryState(StrEnum):
    """State of a `remember`; with the key (plan, index) it is written once even after a crash."""

    PREPARED = "prepared"
    WRITTEN = "written"
    KNOWN = "known"
    """An entry of the file says the same already, so nothing was written."""
    UNDONE = "undone"
    PARKED = "parked"
    """Of a variant that is not chosen: nothing is written yet."""


@dataclass(frozen=True, slots=True)
class MemoryEffect:
    """One `remember` of an accepted reply.

    Attributes:
        graph_id: The plan.
        index: Index of the `remember` in the plan, from 0.
        agent_id: The agent with the memory.
        chat_id: The chat of the reply.
        text: What to write.
        state: Its state.
        created_at: Aware UTC.
    """

    graph_id: GraphId
    index: int
    agent_id: AgentId
    chat_id: ChatId
    text: str
    state: MemoryState
    created_at: datetime
