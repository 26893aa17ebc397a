"""Rows of the store that are not snapshots for panes: steps, plans, requests, waits."""

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
        kind: What it does.
        status: State.
        depends_on: The step before it, or None.
        position: Place in the plan, from 0.
        trigger_ids: For `received`: all unanswered messages that led to it, oldest first; the last is the target.
        attempts: How often it was started.
        crashes: How often the program ended in the middle of it.
        due_at: Not before, aware UTC; None = at once.
        reason: Why it is in its state, or None.
        wait_s: For `wait`: its length in seconds, counted from when it becomes ready.
        restarts: For `received`: how often newer triggers cancelled its model call.
        window_began_at: For `received`: when the first of its triggers came; bounds the debounce.
    """

    task_id: TaskId
    chat_id: ChatId
    graph_id: GraphId | None
    kind: TaskKind
    status: TaskStatus
    depends_on: TaskId | None
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
    """What a plan is to its chat."""

    CURRENT = "current"
    VARIANT = "variant"
    BESIDE = "beside"
    """Not a plan of the agent: the operator's own messages, "send anyway"."""
    PAST = "past"


@dataclass(frozen=True, slots=True)
class GraphRow:
    """One plan.

    Attributes:
        graph_id: Row id.
        chat_id: The conversation.
        origin: Who made it.
        standing: What it is to its chat.
        variant_of: For a variant: the plan it could replace.
        trigger_ids: The messages it answers, oldest first; the last is the target.
        span: The messages its prompt held.
        instruction: What the operator asked a regenerate for, or empty.
        problems: What of the reply was left out, for the operator.
        lost_rule: It lived through a hold: no rule decides for it any more.
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
    """What is known of a plan when it is stored; the fields are those of `GraphRow`."""

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
    """What is known of a planned send when its graph is stored; the fields are those of `Approval`."""

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
    """What the model wrote, where it differs from `text`."""
    due_at: datetime | None = None
    decided_at: datetime | None = None
    decided_by: str = ""
    note: Note | None = None


@dataclass(frozen=True, slots=True)
class LedgerRow:
    """One request that leaves, or has left: a part of a text, a sticker, a block.

    Attributes:
        ledger_id: Row id.
        approval_id: The decision it belongs to.
        chat_id: The conversation.
        version: The approval's version whose exact bytes `random_id` stands for.
        part: Part of a split message, from 0.
        random_id: Telegram's de-duplication number.
        state: State.
        origin: Who asked for it.
        kind: What the request does.
        text: The exact text; of a sticker its name, of a deed empty.
        entities: Formatting of `text`.
        sticker: The sticker, for the kind `sticker`.
        file: The photo or file, for the kind `file`.
        reply_to_id: The message it answers.
        up_to: For `clear-conversation`: the newest message id the operator saw.
        by_rule: It was claimed on a rule's decision, so it counts for the caps.
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
    """One request, prepared in the transaction that decides; the fields are those of `LedgerRow`."""

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
        client_id: Made by the caller; repeating a decision with the same one is a no-op.
        approval_id: What was decided.
        version: The version the caller had seen.
        decision: Its name (``Approve`` …).
        text: The text decided upon, or the reason of a rejection.
        verdict: What became of it.
        at: Aware UTC.
        by: ``operator``, or the named rule.
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
    """Telegram told us to wait.

    Attributes:
        account_id: Whose clock.
        chat_id: The chat, for SLOWMODE_WAIT; None where it counts for the method of the account.
        method: Telegram's name of the method, such as ``messages.SendMessage``.
        until: Aware UTC, exactly as told.
    """

    account_id: AccountId
    chat_id: ChatId | None
    method: str
    until: datetime


class MemoryState(StrEnum):
    """How far a `remember` has come; the key (plan, index) makes a crash write once."""

    PREPARED = "prepared"
    WRITTEN = "written"
    UNDONE = "undone"
    PARKED = "parked"
    """Of a variant of the plan that is not chosen: nothing is written yet."""


@dataclass(frozen=True, slots=True)
class MemoryEffect:
    """One `remember` of an accepted reply.

    Attributes:
        graph_id: The plan.
        index: Which `remember` of it, from 0.
        agent_id: Whose memory.
        chat_id: Where the reply was made.
        text: What to write.
        state: How far it has come.
        created_at: Aware UTC.
    """

    graph_id: GraphId
    index: int
    agent_id: AgentId
    chat_id: ChatId
    text: str
    state: MemoryState
    created_at: datetime
