"""A whole trace: its steps on a time axis, the reply, and what became of each block."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta
from enum import StrEnum
from typing import TYPE_CHECKING

from chimein_gui.domain.notes import NoteKind
from chimein_gui.domain.retrieval.pages import PageFetched, RetrievalRound
from chimein_gui.domain.traces.entries import (
    AttemptEnded,
    Backfilled,
    ContextChosen,
    Debounced,
    Enriched,
    Parsed,
    PromptBuilt,
    RepairAsked,
    ToolUse,
)

if TYPE_CHECKING:
    from datetime import datetime

    from chimein_gui.domain.approvals import Approval
    from chimein_gui.domain.costs import ModelCall
    from chimein_gui.domain.ids import ApprovalId, MessageId, TaskId
    from chimein_gui.domain.notes import Note
    from chimein_gui.domain.plans.decision_log import LoggedDecision
    from chimein_gui.domain.prompt.sent import CallId
    from chimein_gui.domain.replies.problems import ReplyProblem
    from chimein_gui.domain.replies.replies import BlockKind
    from chimein_gui.domain.tasks import LedgerState, TaskStatus
    from chimein_gui.domain.traces.summaries import TraceId, TraceSummary


class StepKind(StrEnum):
    """What a step of a trace is."""

    DEBOUNCE = "debounce"
    BACKFILL = "backfill"
    CONTEXT = "context"
    ENRICHER = "enricher"
    """Memories, descriptions of media, the second choice of context; `name` says which."""
    PROMPT = "prompt"
    MODEL_CALL = "model call"
    TOOL = "tool"
    ROUND = "retrieval round"
    PAGE = "page"
    PARSE = "parse"
    REPAIR = "repair"
    ATTEMPT = "attempt"
    """The end of an attempt that brought no plan."""
    NEXT_TRY = "next try"
    """The wait for the next attempt."""
    APPROVAL = "approval"
    TYPING = "typing"
    SEND = "send"


WAITS = frozenset({StepKind.DEBOUNCE, StepKind.APPROVAL, StepKind.SEND, StepKind.NEXT_TRY})
"""Kinds whose long waits are cut from the axis."""


INSTANTS = frozenset({StepKind.ATTEMPT, StepKind.REPAIR})
"""Kinds that are a moment and last for no time."""


class StepState(StrEnum):
    """How a step ended, or that it has not."""

    DONE = "done"
    OPEN = "open"
    """It is under way, or somebody has to act."""
    FAILED = "failed"
    REFUSED = "refused"
    LATE = "late"
    """It was left out because it took too long."""
    DISCARDED = "discarded"
    """It ended, and nothing of it was used."""


@dataclass(frozen=True, slots=True)
class CallStep:
    """A model call.

    Attributes:
        call: The call as it was booked.
        number: Its number among the calls that answer, from 1; 0 for the embedder's.
        reply: What the model answered, thoughts replaced; empty without an answer.
        finish_reason: The service's own word.
        tools: Names of the tools that it calls.
        is_cut_off: The text is incomplete.
        call_id: For the Prompt pane: the call whose prompt is stored; None if there is none.
    """

    call: ModelCall
    number: int
    reply: str = ""
    finish_reason: str = ""
    tools: tuple[str, ...] = ()
    is_cut_off: bool = False
    call_id: CallId | None = None


@dataclass(frozen=True, slots=True)
class NextTry:
    """The wait for the next attempt.

    Attributes:
        ended: The attempt before it, with why it ended.
    """

    ended: AttemptEnded


@dataclass(frozen=True, slots=True)
class ApprovalStep:
    """The wait for a decision, and the decision.

    Attributes:
        approval: The card as it is now.
        decision: The last decision on it, with what the model wrote and what was approved; None while it is open.
        number: Its number among the cards of the plan, from 1; 0 if there is only one.
    """

    approval: Approval
    decision: LoggedDecision | None = None
    number: int = 0


@dataclass(frozen=True, slots=True)
class TypingStep:
    """The time for which the partner saw "typing…"."""

    approval_id: ApprovalId


@dataclass(frozen=True, slots=True)
class SentPart:
    """One request of a send.

    Attributes:
        index: Place in the send, from 0.
        state: State of its ledger row.
        random_id: The number by which Telegram knows it.
        claimed_at: When it was claimed, aware UTC; or None.
        message_id: The message, once there is one.
    """

    index: int
    state: LedgerState
    random_id: int
    claimed_at: datetime | None = None
    message_id: MessageId | None = None


@dataclass(frozen=True, slots=True)
class SendStep:
    """A planned message on its way.

    Attributes:
        approval: The card as it is now.
        parts: Its requests, in order, those given up included.
        number: That of its card, as in `ApprovalStep`.
        is_offline: It is approved, and its account can't send now.
    """

    approval: Approval
    parts: tuple[SentPart, ...] = ()
    number: int = 0
    is_offline: bool = False


StepDetail = (
    Debounced
    | Backfilled
    | ContextChosen
    | Enriched
    | PromptBuilt
    | CallStep
    | ToolUse
    | RetrievalRound
    | PageFetched
    | Parsed
    | RepairAsked
    | AttemptEnded
    | NextTry
    | ApprovalStep
    | TypingStep
    | SendStep
)


@dataclass(frozen=True, slots=True)
class TraceStep:
    """One bar of the waterfall.

    Attributes:
        step_id: Its number in the trace, from 1.
        parent_id: The step it is a part of, or None.
        kind: What it is.
        name: The name of a tool, an enricher, a model, or the address of a page; else empty. Foreign text.
        began_at: Aware UTC.
        took_s: Seconds; until now for one that is under way.
        offset_s: Its place on the axis of active time, in seconds from the beginning of the trace.
        shown_s: Its length on that axis.
        is_cut: A wait was cut out of it, so that `shown_s` is shorter than `took_s`.
        state: How it ended.
        tokens_in: Tokens of the prompt, or that it added to later prompts; None if it has none.
        tokens_out: Tokens of the reply, thinking included.
        usd: US dollars; None without a price.
        detail: What the pane shows of it.
    """

    step_id: int
    kind: StepKind
    began_at: datetime
    took_s: float
    detail: StepDetail
    parent_id: int | None = None
    name: str = ""
    offset_s: float = 0.0
    shown_s: float = 0.0
    is_cut: bool = False
    state: StepState = StepState.DONE
    tokens_in: int | None = None
    tokens_out: int | None = None
    usd: float | None = None


_FAULTS = frozenset({NoteKind.MODEL_FAILED, NoteKind.OTHER})
"""Reasons for the end of an attempt that are failures; a cap and a key that is missing are waited for."""


_PAUSED = _FAULTS | {NoteKind.NO_KEY, NoteKind.WAITS_FOR_CAP}
"""Reasons after which the next attempt waits for its time, a key, or an amount."""


def asks_to_wait(ended: AttemptEnded) -> bool:
    """Return whether an attempt ended because the service asked to wait, so that it does not count."""
    return not ended.is_counted and ended.reason is not None and ended.reason.kind is NoteKind.MODEL_FAILED


def waits_for_try(ended: AttemptEnded) -> bool:
    """Return whether a pause follows an attempt: after a newer message and the like the plan is made anew at once."""
    return ended.reason is not None and ended.reason.kind in _PAUSED


def _is_no_fault(reason: Note | None) -> bool:
    return reason is not None and reason.kind not in _FAULTS


def is_failure(step: TraceStep) -> bool:
    """Return whether a step failed or was refused; what the operator rejects is no failure."""
    detail = step.detail
    if isinstance(detail, AttemptEnded) and (asks_to_wait(detail) or _is_no_fault(detail.reason)):
        return False  # a newer message came, or another thing after which the plan is made once more
    return step.state in (StepState.FAILED, StepState.REFUSED) and step.kind is not StepKind.APPROVAL


def is_postponed(step: TraceStep) -> bool:
    """Return whether a step waits for a decision that the operator has postponed beyond the end of the step."""
    detail, until = step.detail, step.began_at + timedelta(seconds=step.took_s)
    return isinstance(detail, ApprovalStep) and step.state is StepState.OPEN and detail.approval.is_postponed(until)


@dataclass(frozen=True, slots=True)
class AxisCut:
    """A wait that the axis leaves out.

    Attributes:
        offset_s: Where it is on the axis, in seconds.
        left_out_s: How many seconds are left out there.
    """

    offset_s: float
    left_out_s: float


@dataclass(frozen=True, slots=True)
class TraceBlock:
    """A block of the reply, and what became of it.

    Attributes:
        kind: Its type.
        reply_to: The message it answers, or None.
        body: Its text; of a thought only its length, as in the reply.
        line: Its line in the reply, from 1.
        params: As in `Block`.
        task_id: The step of the plan; None for a block that is none.
        status: The state of that step now; None without one.
        approval: The card of a planned message, as it is now; or None.
        reason: Why the step is in its state, or None.
        remembered: For «remember»: whether it was written to the memory file; None if it never will be.
    """

    kind: BlockKind
    reply_to: int | None
    body: str
    line: int = 1
    params: tuple[tuple[str, str], ...] = ()
    task_id: TaskId | None = None
    status: TaskStatus | None = None
    approval: Approval | None = None
    reason: Note | None = None
    remembered: bool | None = None


@dataclass(frozen=True, slots=True)
class Trace:
    """A whole trace.

    Attributes:
        summary: Its row.
        steps: In the order of the waterfall; parts stand behind their step.
        cuts: The waits that the axis leaves out, in order.
        axis_s: Length of the axis, in seconds.
        reply: The reply that counted, as the model wrote it, thoughts replaced; empty without one.
        blocks: Its blocks, in order.
        problems: Parts of the reply that were left out or changed, and notes on how the plan was made.
        trigger_ids: The messages it answers, oldest first.
        instruction: The operator's instruction for a variant, or empty.
        message_to_send_s: Seconds from the first message to the last send; None while nothing was sent.
        waited_s: Seconds for which it waited for the operator.
        successor: The trace of the plan that took the place of this one; None if none did, or if it has none.
    """

    summary: TraceSummary
    steps: tuple[TraceStep, ...] = ()
    cuts: tuple[AxisCut, ...] = ()
    axis_s: float = 0.0
    reply: str = ""
    blocks: tuple[TraceBlock, ...] = ()
    problems: tuple[ReplyProblem, ...] = ()
    trigger_ids: tuple[MessageId, ...] = ()
    instruction: str = ""
    message_to_send_s: float | None = None
    waited_s: float = 0.0
    successor: TraceId | None = None
