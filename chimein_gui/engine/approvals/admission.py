"""Admission: why a planned send needs a decision, which rule may approve it, and how it is stored.

See docs/behaviour.md, "What always asks".

Functions that take a transaction run on the writer thread or on the reader thread.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from chimein_gui.domain.approvals import OPERATOR, Approval, Approve, AskReason, Rule, Verdict
from chimein_gui.domain.chats import AUTOMATIC, MuteState
from chimein_gui.domain.ids import Revision
from chimein_gui.domain.messages import LONGEST_TEXT
from chimein_gui.domain.notes import Note
from chimein_gui.domain.notes.reasons import Reason
from chimein_gui.domain.tasks import IRREVERSIBLE_KINDS, ApprovalState, Origin, TaskKind, TaskStatus
from chimein_gui.domain.transitions import check_approval, check_task
from chimein_gui.engine.approvals.approve import prepare_requests
from chimein_gui.engine.policy.hold_check import hold_note, mute_of
from chimein_gui.engine.policy.timing import due_when_admitted
from chimein_gui.engine.policy.trust import RULES, SILENT, cap_reached, trust_now
from chimein_gui.engine.ports import DecisionRecord, GraphStanding, NewApproval
from chimein_gui.engine.tasks.transitions import follow_outcome, settled
from chimein_gui.engine.text.markdown import formatted

if TYPE_CHECKING:
    from datetime import datetime

    from chimein_gui.domain.chats import Chat, TrustLevel
    from chimein_gui.domain.ids import GraphId, TaskId
    from chimein_gui.domain.plans.planned_steps import PlannedStep, PromptCoverage
    from chimein_gui.engine.core.environment import TransactionEnvironment
    from chimein_gui.engine.ports import GraphRow, Transaction


_STRENGTH = {reason: index for index, reason in enumerate(AskReason)}
_UNHEARD = {MuteState.MUTED: AskReason.MUTED, MuteState.UNTOLD: AskReason.MUTE_UNKNOWN}
_UNSENDABLE = re.compile("[\x00\ud800-\udfff]")


@dataclass(frozen=True, slots=True)
class StepPosition:
    """Position of a planned send.

    Attributes:
        chat: The conversation, as it is in this transaction.
        graph_id: The plan.
        depends_on: The steps that must be settled before it, by id.
        position: Index in the plan, from 1; the `received` task is 0.
    """

    chat: Chat
    graph_id: GraphId
    depends_on: tuple[TaskId, ...]
    position: int


def ask_reasons(
    tx: Transaction, chat: Chat, step: PlannedStep, graph: GraphRow, now: datetime, environment: TransactionEnvironment
) -> tuple[AskReason, ...]:
    """Return why a planned send needs a decision; empty if a rule may approve it.

    Reasons against automatic sends are included only at an automatic trust level.
    """
    kind, text = step.kind, step.text
    if graph.origin is Origin.OPERATOR:
        reasons = _unsendable(kind, text) + _held(tx, chat, environment)
    else:
        reasons = rule_reasons(tx, chat, kind, text, graph, now)
        if graph.standing is GraphStanding.BESIDE:
            reasons += (AskReason.SENT_ANYWAY,)
        if trust_now(chat, now) in AUTOMATIC:
            reasons += moment_reasons(tx, chat, mute_of(environment, chat), now, environment)
    return reasons


def rule_reasons(
    tx: Transaction, chat: Chat, kind: TaskKind, text: str, graph: GraphRow, now: datetime
) -> tuple[AskReason, ...]:
    """Return why no rule may decide here, independent of the moment; the claim checks this again."""
    reasons = _always_ask(tx, chat, kind) + _unsendable(kind, text)
    if trust_now(chat, now) not in AUTOMATIC:
        return (*reasons, AskReason.REVIEW)
    if graph.lost_rule:
        reasons += (AskReason.HELD,)
    if tx.accounts.limited(chat.info.account_id):
        reasons += (AskReason.LIMITED,)
    return reasons


def moment_reasons(
    tx: Transaction, chat: Chat, mute: MuteState, now: datetime, environment: TransactionEnvironment
) -> tuple[AskReason, ...]:
    """Return why no rule may decide now; the claim has a gate for each."""
    reasons = _held(tx, chat, environment)
    if chat.takeover_until is not None and now < chat.takeover_until:
        reasons += (AskReason.TAKEOVER,)
    if cap_reached(tx, chat, environment.preferences, now):
        reasons += (AskReason.CAP,)
    unheard = _UNHEARD.get(mute)
    if unheard is not None:
        reasons += (unheard,)
    return reasons


def rule_for(reasons: tuple[AskReason, ...], trust: TrustLevel) -> Rule | None:
    """Return the rule that may approve a planned send, or None if it needs a decision."""
    return None if reasons else RULES.get(trust)


def text_problem(text: str) -> Note | None:
    """Return why a text can't be sent, or None; long texts are split."""
    problem = storing_problem(text)
    if problem is None and not formatted(text)[0].strip():
        return Note(Reason.NOTHING_TO_SEND)
    return problem


def storing_problem(text: str) -> Note | None:
    """Return why a text can be neither sent nor stored, or None; blank ones can be stored."""
    if len(text) > LONGEST_TEXT:
        return Note(Reason.TEXT_TOO_LONG, number=len(text))
    if _UNSENDABLE.search(text):
        return Note(Reason.BAD_CHARACTERS)
    return None


def add_planned_send(
    tx: Transaction,
    place: StepPosition,
    step: PlannedStep,
    seen: PromptCoverage,
    environment: TransactionEnvironment,
    *,
    extra: tuple[AskReason, ...] = (),
    draft_text: str | None = None,
) -> Approval:
    """Store a planned send in its initial state: awaiting a decision, observed, parked, or approved by a rule.

    The operator's own message (origin OPERATOR) is approved at once, unless it is held.

    Args:
        tx: The transaction that stores the plan; FULL, because it may decide.
        place: Its position; the plan and the step before it are already stored.
        step: The send.
        seen: Content of the prompt.
        environment: State outside of the database.
        extra: Further reasons for a decision.
        draft_text: The model's text, if it differs from the step's.

    Returns:
        The card.
    """
    graph, chat, now = tx.graphs.get(place.graph_id), place.chat, environment.now()
    trust = trust_now(chat, now)
    cut_off = (AskReason.CUT_OFF,) if step.is_cut_off else ()
    further = (*extra, *cut_off, *_of_prompt(seen, trust))
    reasons = _sorted(*ask_reasons(tx, chat, step, graph, now, environment), *further)
    status = _first_status(graph, trust)
    by = OPERATOR if graph.origin is Origin.OPERATOR and not reasons else rule_for(reasons, trust)
    if status is TaskStatus.OBSERVED:
        reasons = cut_off  # kept for the case that it is offered again
    elif status is TaskStatus.PARKED or by is None:
        reasons = reasons or (AskReason.REVIEW,)
    is_approved = status is TaskStatus.AWAITING_DECISION and by is not None
    is_due = is_approved and settled(tx, place.depends_on)
    new = NewApproval(
        _add_task(tx, place, step, *((status, TaskStatus.APPROVED) if is_approved else (status,))),
        _state(status, is_approved=is_approved),
        step.text,
        step.reply_to,
        reasons,
        seen.revision,
        now,
        sticker=step.sticker,
        file=step.file,
        changed_at=tx.revision if seen.changed else Revision(0),
        covers_up_to=seen.covers_up_to,
        newer=seen.newer,
        draft_text=draft_text,
        due_at=due_when_admitted(chat, step.kind, step.text, str(by), now, environment) if is_due else None,
        decided_at=now if is_approved else None,
        decided_by=str(by) if is_approved else "",
    )
    approval = tx.approvals.add(new)
    return _approved(tx, approval, now) if is_approved else approval


def _of_prompt(seen: PromptCoverage, trust: TrustLevel) -> tuple[AskReason, ...]:
    """Return why what the model has seen needs a decision."""
    reasons = (AskReason.CHANGED,) if seen.changed else ()
    return (*reasons, AskReason.BLOCK_UNKNOWN) if seen.is_unsure and trust in AUTOMATIC else reasons


def _state(status: TaskStatus, *, is_approved: bool) -> ApprovalState:
    """Return the state of a new card; one that a rule approves passes through the open one."""
    if is_approved:
        check_approval(ApprovalState.OPEN, ApprovalState.APPROVED)
        return ApprovalState.APPROVED
    return ApprovalState.OBSERVED if status is TaskStatus.OBSERVED else ApprovalState.OPEN


def _approved(tx: Transaction, approval: Approval, now: datetime) -> Approval:
    """Store what belongs to a send that was approved as it was added, like `approve` for one that waited.

    No hold is over its chat, which would be a reason to ask.
    """
    follow_outcome(tx, tx.tasks.get(approval.task_id))
    if approval.is_edited:
        tx.traces.mark_edited(approval.graph_id)
    prepare_requests(tx, approval)
    approval = tx.approvals.get(approval.approval_id)
    tx.decisions.add(_record(approval, now))
    return approval


def _first_status(graph: GraphRow, trust: TrustLevel) -> TaskStatus:
    """Return the initial state of a planned send; the operator's requests are never only observed."""
    if graph.standing is GraphStanding.VARIANT:
        return TaskStatus.PARKED
    if trust in SILENT and graph.standing is not GraphStanding.BESIDE:
        return TaskStatus.OBSERVED
    return TaskStatus.AWAITING_DECISION


def _add_task(tx: Transaction, place: StepPosition, step: PlannedStep, *statuses: TaskStatus) -> TaskId:
    """Store the step in the last of the states that it goes through, each checked."""
    reached = TaskStatus.PENDING
    for status in statuses:
        check_task(step.kind, reached, status)
        reached = status
    return tx.tasks.add(
        place.chat.chat_id,
        step.kind,
        reached,
        graph_id=place.graph_id,
        depends_on=place.depends_on,
        position=place.position,
    )


def _record(approval: Approval, now: datetime) -> DecisionRecord:
    """Return the log line of an approval on admission, with the rule that decided."""
    return DecisionRecord(
        f"gate {approval.approval_id}",
        approval.approval_id,
        approval.version,
        Approve.__name__,
        approval.text,
        Verdict.ACCEPTED,
        now,
        by=approval.decided_by,
    )


def _sorted(*reasons: AskReason) -> tuple[AskReason, ...]:
    """Return each reason once, strongest first."""
    return tuple(sorted(set(reasons), key=_STRENGTH.__getitem__))


def _always_ask(tx: Transaction, chat: Chat, kind: TaskKind) -> tuple[AskReason, ...]:
    if kind in IRREVERSIBLE_KINDS:
        return (AskReason.IRREVERSIBLE,)
    if not tx.messages.has_outgoing(chat.info.account_id, chat.info.peer_id):
        return (AskReason.FIRST_MESSAGE,)
    return ()


def _unsendable(kind: TaskKind, text: str) -> tuple[AskReason, ...]:
    return (AskReason.UNSENDABLE,) if kind is TaskKind.SEND and text_problem(text) else ()


def _held(tx: Transaction, chat: Chat, environment: TransactionEnvironment) -> tuple[AskReason, ...]:
    held = hold_note(tx, environment, chat.info.account_id, chat.chat_id)
    return (AskReason.HELD,) if held else ()
