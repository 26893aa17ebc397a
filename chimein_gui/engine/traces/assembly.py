"""Makes the waterfall of a trace: what was recorded with the plan, and what its cards, decisions and requests say now.

Functions that take a transaction run on the reader thread.
"""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from itertools import pairwise
from typing import TYPE_CHECKING

from chimein_gui.domain.approvals import Approval, Approve, ApproveEdited, Reject, RejectPlan
from chimein_gui.domain.costs import ASIDE, DRY_RUN, CallEnd, ModelCall
from chimein_gui.domain.messages import MessageKey
from chimein_gui.domain.plans.decision_log import DecisionKind, LoggedDecision
from chimein_gui.domain.retrieval.pages import PageFetched, RetrievalRound
from chimein_gui.domain.tasks import ApprovalState, LedgerState, TaskStatus
from chimein_gui.domain.text.tokens import tokens_of
from chimein_gui.domain.traces.entries import (
    AttemptEnded,
    Backfilled,
    ContextChosen,
    Debounced,
    Enriched,
    EnrichEnd,
    Parsed,
    PromptBuilt,
    RepairAsked,
    Replied,
    ToolUse,
)
from chimein_gui.domain.traces.steps import (
    ApprovalStep,
    CallStep,
    SendStep,
    SentPart,
    StepKind,
    StepState,
    TraceStep,
    TypingStep,
)
from chimein_gui.engine.policy.timing import typing_s

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from datetime import datetime

    from chimein_gui.domain.prompt.sent import CallId
    from chimein_gui.domain.traces.entries import TraceEntry
    from chimein_gui.domain.traces.summaries import TraceSummary
    from chimein_gui.engine.core.environment import TransactionEnvironment
    from chimein_gui.engine.ports import DecisionRecord, LedgerRow, Transaction

_KINDS = {
    Debounced: StepKind.DEBOUNCE,
    Backfilled: StepKind.BACKFILL,
    ContextChosen: StepKind.CONTEXT,
    Enriched: StepKind.ENRICHER,
    PromptBuilt: StepKind.PROMPT,
    ToolUse: StepKind.TOOL,
    RetrievalRound: StepKind.ROUND,
    PageFetched: StepKind.PAGE,
    Parsed: StepKind.PARSE,
}
_ENDS = {EnrichEnd.DONE: StepState.DONE, EnrichEnd.LATE: StepState.LATE, EnrichEnd.FAILED: StepState.FAILED}
_CALL_ENDS = {
    CallEnd.ANSWERED: StepState.DONE,
    CallEnd.CANCELLED: StepState.DISCARDED,
    CallEnd.FAILED: StepState.FAILED,
}
_DECISIONS = {
    Approve.__name__: DecisionKind.APPROVED,
    ApproveEdited.__name__: DecisionKind.EDITED,
    Reject.__name__: DecisionKind.REJECTED,
    RejectPlan.__name__: DecisionKind.PLAN_REJECTED,
}


class _Steps:
    """The steps so far, numbered in the order of the waterfall."""

    def __init__(self) -> None:
        self.found: list[TraceStep] = []

    def add(self, step: TraceStep, parent: TraceStep | None = None) -> TraceStep:
        numbered = replace(step, step_id=len(self.found) + 1, parent_id=None if parent is None else parent.step_id)
        self.found.append(numbered)
        return numbered


def recorded_steps(
    entries: Iterable[TraceEntry], calls: Mapping[datetime, CallId], otherwise: datetime
) -> list[TraceStep]:
    """Return the steps that were recorded while the plan was made.

    Args:
        entries: What was recorded, in order.
        calls: The calls whose prompts are stored, by when they began.
        otherwise: When a step without a time of its own began, if there is none before it.
    """
    steps, aside, pages = _Steps(), list[TraceStep](), list[TraceStep]()
    number, at, newest = 0, otherwise, aside
    aside_purposes = ASIDE - {DRY_RUN}
    for one in entries:
        if isinstance(one, Replied):
            _answer(newest, one)
        elif isinstance(one, ModelCall):
            at = one.began_at + timedelta(seconds=one.latency_s)
            newest = aside if one.purpose in aside_purposes else steps.found
            if newest is aside:
                aside.append(_call(one, 0, None))
            else:
                number += 1
                steps.add(_call(one, number, calls.get(one.began_at)))
        elif isinstance(one, PageFetched):
            pages.append(_page(one))
        elif isinstance(one, RepairAsked):
            steps.add(TraceStep(0, StepKind.REPAIR, at, 0.0, one))
        elif isinstance(one, AttemptEnded):
            _discard(steps.found)
            steps.add(TraceStep(0, StepKind.ATTEMPT, one.at, 0.0, one, state=StepState.FAILED))
        else:
            began_at = one.began_at or at
            at = began_at + timedelta(seconds=one.took_s)
            parent = steps.add(_plain(one, began_at, pages))
            parts = pages if isinstance(one, RetrievalRound) else aside if isinstance(one, Enriched) else []
            for part in parts:
                steps.add(part, parent)
            parts.clear()
    for part in (*aside, *pages):
        steps.add(part)
    return _history_first(steps.found)


def _tokens_added(pages: Iterable[TraceStep]) -> int:
    """Return how many tokens pages add to each later call, estimated."""
    texts = (one.detail.text for one in pages if isinstance(one.detail, PageFetched))
    return sum(tokens_of([text]) for text in texts)


def _history_first(found: list[TraceStep]) -> list[TraceStep]:
    """Return steps with each fetch of missing history before the choice of messages, if it began earlier.

    It is recorded when it ends, behind the choice that it belongs to.
    """
    for place, (first, then) in enumerate(pairwise(tuple(found))):
        kinds = (first.kind, then.kind)
        if kinds == (StepKind.CONTEXT, StepKind.BACKFILL) and then.began_at < first.began_at:
            found[place] = replace(then, step_id=first.step_id)
            found[place + 1] = replace(first, step_id=then.step_id)
    return found


def _plain(one: TraceEntry, began_at: datetime, pages: Iterable[TraceStep]) -> TraceStep:
    state, name = StepState.DONE, getattr(one, "name", "")
    tokens_in = (_tokens_added(pages) or None) if isinstance(one, RetrievalRound) else None
    if isinstance(one, Enriched):
        state = _ENDS[one.end]
    elif isinstance(one, ToolUse) and one.error and not one.messages:
        state = StepState.FAILED
    elif isinstance(one, Backfilled) and not one.is_complete:
        state = StepState.LATE
    elif isinstance(one, RetrievalRound) and one.refused and not one.pages:
        state = StepState.REFUSED
    took_s: float = getattr(one, "took_s", 0.0)
    kind = _KINDS[type(one)]
    return TraceStep(0, kind, began_at, took_s, one, name=name, state=state, tokens_in=tokens_in)  # type: ignore[arg-type]


def _call(call: ModelCall, number: int, call_id: CallId | None) -> TraceStep:
    usage = call.usage
    return TraceStep(
        0,
        StepKind.MODEL_CALL,
        call.began_at,
        call.latency_s,
        CallStep(call, number, call_id=call_id),
        name=call.model,
        state=_CALL_ENDS[call.end],
        tokens_in=usage.prompt_tokens,
        tokens_out=usage.reply_tokens + usage.thinking_tokens,
        usd=call.cost_usd,
    )


def _answer(steps: list[TraceStep], reply: Replied) -> None:
    """Put a reply to its call, which is the newest step of these: it was noted right before."""
    detail = steps[-1].detail if steps else None
    if isinstance(detail, CallStep):
        said = replace(
            detail,
            reply=reply.text,
            finish_reason=reply.finish_reason,
            tools=reply.tools,
            is_cut_off=reply.is_cut_off,
        )
        steps[-1] = replace(steps[-1], detail=said)


def _page(page: PageFetched) -> TraceStep:
    state = StepState.DONE
    if page.refusal is not None:
        state = StepState.REFUSED
    elif page.error is not None:
        state = StepState.FAILED
    return TraceStep(0, StepKind.PAGE, page.began_at, page.took_s, page, name=page.requested, state=state)


def _discard(found: list[TraceStep]) -> None:
    """Mark the answered calls of the attempt that ends here: nothing came of them."""
    for index in range(len(found) - 1, -1, -1):
        step = found[index]
        if step.kind is StepKind.ATTEMPT:
            return
        if step.kind is StepKind.MODEL_CALL and step.state is StepState.DONE:
            found[index] = replace(step, state=StepState.DISCARDED)


def later_steps(tx: Transaction, row: TraceSummary, environment: TransactionEnvironment) -> list[TraceStep]:
    """Return the waits for decisions, "typing…" and the sends of a plan, as its rows say now."""
    if row.graph_id is None:
        return []
    found: list[TraceStep] = []
    cards = [one for one in tx.approvals.of_graph(row.graph_id) if one.task_status is not TaskStatus.PARKED]
    for place, approval in enumerate(cards, start=1):
        number = place if len(cards) > 1 else 0
        found.append(_approval(tx, approval, number, environment.now()))
        if approval.decided_at is not None and approval.state is not ApprovalState.REJECTED:
            found += _send(tx, approval, number, environment)
    return found


def _approval(tx: Transaction, approval: Approval, number: int, now: datetime) -> TraceStep:
    record = tx.decisions.last_of(approval)
    until = approval.decided_at or (record.at if record is not None else None)
    is_open = approval.task_status is TaskStatus.AWAITING_DECISION
    if is_open:
        state, until = StepState.OPEN, now
    elif until is None:
        replaced = tx.approvals.last_resolved(approval.graph_id)
        state, until = StepState.DISCARDED, replaced or approval.created_at
    else:
        state = StepState.REFUSED if approval.state is ApprovalState.REJECTED else StepState.DONE
    took_s = max(0.0, (until - approval.created_at).total_seconds())
    detail = ApprovalStep(approval, None if is_open or record is None else _logged(approval, record), number)
    return TraceStep(0, StepKind.APPROVAL, approval.created_at, took_s, detail, state=state)


def _logged(approval: Approval, record: DecisionRecord) -> LoggedDecision:
    kind = _DECISIONS.get(record.decision, DecisionKind.APPROVED)
    is_rejection = kind in {DecisionKind.REJECTED, DecisionKind.PLAN_REJECTED}
    if kind is DecisionKind.APPROVED and approval.by_rule:
        kind = DecisionKind.BY_RULE
    elif kind is DecisionKind.APPROVED and approval.is_edited:
        kind = DecisionKind.EDITED
    return LoggedDecision(
        record.client_id,
        record.at,
        kind,
        approval.approval_id,
        approval.chat_id,
        approval.agent_id,
        approval.agent_name,
        approval.chat_title,
        record.version,
        record.by,
        approval.draft_text,
        approval.text,
        words=record.text if is_rejection else "",
        cause=record.cause,
        message_id=approval.message_id,
        what=approval.kind,
    )


_SEND_STATES = {
    TaskStatus.DONE: StepState.DONE,
    TaskStatus.FAILED: StepState.FAILED,
    TaskStatus.CANCELLED: StepState.DISCARDED,
    TaskStatus.SKIPPED: StepState.REFUSED,
}


def _send(tx: Transaction, approval: Approval, number: int, environment: TransactionEnvironment) -> list[TraceStep]:
    requests = tx.ledger.of_approval(approval.approval_id)
    claims = [one.claimed_at for one in requests if one.claimed_at is not None]
    decided_at, now = approval.decided_at, environment.now()
    assert decided_at is not None  # the caller has looked
    state = _SEND_STATES.get(approval.task_status, StepState.OPEN)
    if not claims and state is StepState.DISCARDED:
        return []
    begin = min(claims, default=approval.due_at or decided_at)
    began_at = min(begin, now) if claims else decided_at
    until = now if state is StepState.OPEN else max([began_at, *_arrivals(tx, approval, requests)])
    parts = tuple(
        SentPart(one.part, one.state, one.random_id, one.claimed_at, one.message_id)
        for one in requests
        if one.state is not LedgerState.VOID
    )
    is_offline = approval.task_status is TaskStatus.APPROVED and not environment.can_send(approval.account_id)
    send = TraceStep(
        0,
        StepKind.SEND,
        began_at,
        max(0.0, (until - began_at).total_seconds()),
        SendStep(approval, parts, number, is_offline=is_offline),
        state=state,
    )
    typed_s = min(typing_s(approval, environment.preferences), max(0.0, (began_at - decided_at).total_seconds()))
    if not claims or not typed_s:
        return [send]
    typing = TypingStep(approval.approval_id)
    return [TraceStep(0, StepKind.TYPING, began_at - timedelta(seconds=typed_s), typed_s, typing), send]


def _arrivals(tx: Transaction, approval: Approval, requests: Iterable[LedgerRow]) -> list[datetime]:
    """Return when the messages of a send arrived, by Telegram's clock."""
    numbers = [one.message_id for one in requests if one.message_id is not None]
    keys = (MessageKey(approval.account_id, approval.peer_id, number) for number in numbers)
    return [one.sent_at for one in map(tx.messages.get, keys) if one is not None]


def numbered(*parts: list[TraceStep]) -> list[TraceStep]:
    """Return steps of several lists behind each other, with numbers that go on."""
    found: list[TraceStep] = []
    for part in parts:
        base = len(found)
        for index, step in enumerate(part, start=1):
            parent_id = None if step.parent_id is None else base + step.parent_id
            found.append(replace(step, step_id=base + index, parent_id=parent_id))
    return found
