"""Why a plan failed, was refused or waits, in words, with what can be done: the box below the waterfall."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import timedelta
from typing import TYPE_CHECKING

from PySide6.QtCore import QCoreApplication

from chimein_gui.domain.agents import NEEDS_LOG_IN
from chimein_gui.domain.approvals import may_be_resent
from chimein_gui.domain.notes import NoteKind, PlanningKind, is_of
from chimein_gui.domain.prompt.model_faults import ModelFault
from chimein_gui.domain.retrieval.pages import PageFetched, RetrievalRound
from chimein_gui.domain.tasks import METHODS, CancelReason, TaskStatus
from chimein_gui.domain.traces.steps import StepKind
from chimein_gui.domain.traces.summaries import TraceKind, TraceState
from chimein_gui.viewmodels.accounts.login_words import log_in_word
from chimein_gui.viewmodels.approvals.card_words import has_text
from chimein_gui.viewmodels.problems.sources import cap_actions
from chimein_gui.viewmodels.problems.words import Problem, ProblemAction, ProblemCommand, Severity
from chimein_gui.viewmodels.traces.asks import asks_words
from chimein_gui.viewmodels.traces.call_faults import fault_remedy
from chimein_gui.viewmodels.traces.page_words import page_outcome
from chimein_gui.viewmodels.traces.steps import has_prompt, last_call
from chimein_gui.viewmodels.traces.words import left_out_words, state_word
from chimein_gui.viewmodels.words.notes import note_sentence, note_words, sentence

if TYPE_CHECKING:
    from collections.abc import Callable
    from datetime import datetime

    from chimein_gui.domain.agents import Agent
    from chimein_gui.domain.approvals import Approval
    from chimein_gui.domain.notes import Note, PlanningProblem
    from chimein_gui.domain.traces.steps import Trace
    from chimein_gui.domain.traces.summaries import TraceSummary
    from chimein_gui.viewmodels.core.clock import ClockFace

RETRY_S = 10.0
"""Pause before the next attempt, seconds; a test compares it with that of the engine."""

_USUAL = (NoteKind.NOT_DUE, NoteKind.PREDECESSOR, NoteKind.NEXT_PART, NoteKind.UPLOADING)
"""Notes on an approved send that say nothing beside its state."""

_KNOWN = frozenset({ModelFault.ANSWERED_LATER, ModelFault.KEY_NOT_ACCEPTED})
"""Faults of a model whose own words say nothing more; they stand in the details of the call."""

_OFFLINE = (NoteKind.OFFLINE, NoteKind.STAYS_LOGGED_OUT)

_UNPLANNED = frozenset({TraceState.REFUSED, TraceState.FAILED, TraceState.RETRYING})
"""States of a plan that was not made, and that another try may make."""

_REFUSALS = frozenset({ModelFault.PROMPT_BLOCKED, ModelFault.REPLY_BLOCKED, ModelFault.CALLS_USED_UP})

translate = QCoreApplication.translate


@dataclass(frozen=True, slots=True)
class Around:
    """What a trace does not hold.

    Attributes:
        clock: The time.
        problem: Why the chat has no plan now, or None.
        agent: The agent as it is now; None if there is none any more.
    """

    clock: ClockFace
    problem: PlanningProblem | None = None
    agent: Agent | None = None


def reason_of(trace: Trace, around: Around) -> Problem | None:
    """Return why a plan is not simply sent, and what can be done; None where there is nothing to say.

    What waits and goes on by itself is no fault. Names and the words of services in it are foreign.
    """
    row = trace.summary
    make = _BY_STATE.get(row.state) if row.kind is TraceKind.PLAN else None
    found = make(trace, around) if make is not None else _aside(trace)
    found = found or _other(row) or _pages(trace)
    way = way_without_pages(trace, around.problem) if found is not None else None
    if found is None or way is None or not (_page_words(trace) or row.state in _UNPLANNED):
        return found
    return replace(found, actions=(*found.actions[:1], way, *found.actions[1:]))


def way_without_pages(trace: Trace, problem: PlanningProblem | None) -> ProblemAction | None:
    """Return the way to plan again without web pages; None if the plan looked up none, or nothing waits.

    Args:
        trace: The trace.
        problem: Why the chat has no plan now, or None.
    """
    row = trace.summary
    fault = row.problem.cause if row.problem is not None else None
    wanted = any(isinstance(one.detail, PageFetched | RetrievalRound) for one in trace.steps)
    if row.kind is not TraceKind.PLAN or not (wanted or (fault is not None and fault.kind is ModelFault.ONLY_PAGES)):
        return None
    words = translate("TraceReasons", "Continue without retrieval")
    cards = _cards(trace, TaskStatus.AWAITING_DECISION)
    if cards:
        return ProblemAction(ProblemCommand.WITHOUT_PAGES, words, cards[0])
    if row.state in _UNPLANNED and problem is not None and (problem.is_given_up or problem.is_retried):
        return ProblemAction(ProblemCommand.WITHOUT_PAGES, words, (row.chat_id,))
    return None


def _refused_words(fault: Note | None) -> str:
    """Return what the model's service did, by what was at fault."""
    return {
        ModelFault.PROMPT_BLOCKED: translate(
            "TraceReasons", "The model's safety filter blocked the prompt, so there is no reply"
        ),
        ModelFault.REPLY_BLOCKED: translate(
            "TraceReasons", "The model's safety filter stopped the reply, so there is nothing to send"
        ),
        ModelFault.CALLS_USED_UP: translate("TraceReasons", "The plan used up its model calls without a reply"),
    }.get(
        fault.kind if fault is not None else None,  # type: ignore[arg-type]
        translate("TraceReasons", "The model refused the request, so there is no reply"),
    )


def _refused(trace: Trace, around: Around) -> Problem:
    row = trace.summary
    cause = _refused_words(row.problem.cause if row.problem is not None else None)
    *again, chat = _again(row, around)
    actions = (*again, chat, *_open_prompt(trace))
    if row.graph_id is not None and again:
        leave_out = ProblemAction(
            ProblemCommand.OPEN_CONTEXT,
            translate("TraceReasons", "Plan without a message…"),
            (row.chat_id, row.graph_id),
        )
        actions = (*again, leave_out, chat, *_open_prompt(trace))
    return Problem("refused", Severity.BROKEN, "alert", cause, _unplanned(row, around), actions)


def _failed(trace: Trace, around: Around) -> Problem:
    row = trace.summary
    cards = _cards(trace, TaskStatus.FAILED)
    if cards:
        return _not_sent(row, cards[0], around)
    attempts = row.problem.number if row.problem is not None else 0
    cause = (
        translate("TraceReasons", "No plan after %n attempt(s)", "", attempts)
        if attempts
        else translate("TraceReasons", "No plan could be made")
    )
    return Problem("failed", Severity.BROKEN, "x-circle", cause, _unplanned(row, around), _again(row, around))


def _not_sent(row: TraceSummary, card: Approval, around: Around) -> Problem:
    actions: list[ProblemAction] = []
    if may_be_resent(card):
        actions.append(ProblemAction(ProblemCommand.ASK_AGAIN, translate("TraceReasons", "Ask again"), card))
        if has_text(card):
            actions.append(ProblemAction(ProblemCommand.EDIT_FIRST, translate("TraceReasons", "Edit first"), card))
    if is_of(card.note, NoteKind.LIMITED) and around.agent is not None:
        actions.append(_open_agent(around.agent))
    actions.append(_open_chat(row))
    cause = translate("TraceReasons", "Not sent, and not tried again")
    return Problem("not sent", Severity.BROKEN, "x-circle", cause, note_sentence(card.note), tuple(actions))


def _unknown(trace: Trace, _around: Around) -> Problem:
    cards = _cards(trace, TaskStatus.UNKNOWN)
    note = cards[0].note if cards else None
    looks = translate(
        "TraceReasons",
        "Chimein looks for it in Telegram. If it is not there, you are asked,"
        " or it is sent again in a way that lets it arrive only once.",
    )
    words = f"{note_sentence(note)} {looks}".strip()
    if is_of(note, NoteKind.SENT_AGAIN):
        words = translate(
            "TraceReasons",
            "There was no answer, and it was not in the chat. So it was sent again with the same number,"
            " of which Telegram takes only one. Chimein looks for it once more.",
        )
    cause = translate("TraceReasons", "It is not known whether the message arrived")
    actions = _open_card(cards[0]) if cards else ()
    return Problem("unknown", Severity.DECIDE, "question", cause, words, actions)


def _waiting(trace: Trace, around: Around) -> Problem | None:
    cards = _cards(trace, TaskStatus.AWAITING_DECISION)
    if not cards:
        return None
    now = around.clock.now()
    due = [one for one in cards if not one.is_postponed(now)]
    card = due[0] if due else min(cards, key=lambda one: one.postponed_until or now)
    later, number = card.postponed_until, len(due)
    sign = Severity.DECIDE, "hand"
    cause = translate("TraceReasons", "%n decision(s) wait for you", "", number)
    if number == 1:
        cause = translate("TraceReasons", "Waits for your decision")
    if _page_words(trace):
        cause = translate("TraceReasons", "Send the reply although no page could be looked up?")
    if not due and later is not None:
        sign = Severity.WAITS, "hourglass"
        cause = translate("TraceReasons", "Postponed by you, asks again at {time}")
        cause = cause.format(time=around.clock.clock_ahead(later))
    words = " ".join(part for part in (asks_words(card), note_sentence(card.note), _page_words(trace)) if part)
    words = words or translate("TraceReasons", "Nothing is sent before you approve it.")
    return Problem("waiting", *sign, cause, words, _open_card(card, is_first=number > 1))


def _approved(trace: Trace, around: Around) -> Problem | None:
    approved = _cards(trace, TaskStatus.APPROVED)
    cards = [one for one in approved if one.note is not None and not is_of(one.note, *_USUAL)]
    is_out = around.agent is not None and around.agent.health in NEEDS_LOG_IN  # and no send of it is even tried
    if not cards and not (is_out and approved):
        return None
    card = cards[0] if cards else approved[0]
    to_draft = ProblemAction(ProblemCommand.TO_DRAFT, translate("TraceReasons", "Turn into a draft"), card)
    if is_of(card.note, NoteKind.SERVER_WAIT):
        until = _wait_of(card, around)
        cause = translate("TraceReasons", "Telegram asks this account to wait")
        if until is not None:
            cause = translate("TraceReasons", "Telegram asks this account to wait until {time}")
            cause = cause.format(time=around.clock.clock_ahead(until))
        words = translate(
            "TraceReasons",
            "It is sent automatically when the time is over; no attempt is used. Other messages of the account wait.",
        )
        return Problem("server wait", Severity.WAITS, "hourglass", cause, words, (to_draft, *_open_card(card)))
    if (is_out or is_of(card.note, *_OFFLINE)) and around.agent is not None:
        agent = around.agent
        cause = translate("TraceReasons", "Waits until the account is online")
        log_in = ProblemAction(ProblemCommand.LOG_IN, log_in_word(agent), agent.agent_id)
        ways = (log_in,) if is_out else (_open_agent(agent),)
        words = f"{note_sentence(card.note)} {note_sentence(agent.health_note)}".strip()
        severity = Severity.DECIDE if is_out else Severity.WAITS  # only the operator ends the first
        return Problem("offline", severity, "hourglass", cause, words, (*ways, to_draft))
    cause = translate("TraceReasons", "Approved, and not sent yet")
    return Problem(
        "approved", Severity.WAITS, "hourglass", cause, note_sentence(card.note), (to_draft, *_open_card(card))
    )


def _retrying(trace: Trace, around: Around) -> Problem:
    row, problem = trace.summary, around.problem
    why = _cause_words(row.problem)
    at = _next_try(trace, around)
    again = translate("TraceReasons", "The next attempt follows automatically.")
    if at:
        again = translate("TraceReasons", "The next attempt follows automatically at {time}.").format(time=at)
    if problem is not None and problem.kind is PlanningKind.ASKED_TO_WAIT:
        wait_s = problem.wait_s
        cause = translate("TraceReasons", "The model's service asks for a wait of %n s", "", wait_s)
        again = translate("TraceReasons", "It does not count as an attempt, and planning continues automatically.")
        if at:
            again = translate(
                "TraceReasons", "It does not count as an attempt, and planning continues automatically at {time}."
            )
            again = again.format(time=at)
        return Problem("model wait", Severity.WAITS, "hourglass", cause, f"{why} {again}", _again(row, around))
    cause = translate("TraceReasons", "This attempt brought no plan")
    if problem is not None and problem.kind is PlanningKind.RETRYING:
        cause = translate("TraceReasons", "Attempt {n} of {of} brought no plan")
        cause = cause.format(n=problem.attempt, of=problem.of)
    return Problem("retrying", Severity.WAITS, "refresh", cause, f"{why} {again}", _again(row, around))


def _next_try(trace: Trace, around: Around) -> str:
    """Return when the next attempt begins, to the second; empty once that is over or if none is planned."""
    problem = around.problem
    if problem is None or not problem.is_retried:
        return ""
    ends = [one.began_at for one in trace.steps if one.kind is StepKind.ATTEMPT]
    ended_at = max(ends, default=trace.summary.ended_at)
    if ended_at is None:
        return ""
    is_asked = problem.kind is PlanningKind.ASKED_TO_WAIT
    next_at = ended_at + timedelta(seconds=problem.wait_s if is_asked else RETRY_S)
    return f"{next_at.astimezone():%H:%M:%S}" if next_at > around.clock.now() else ""


def _no_key(trace: Trace, _around: Around) -> Problem:
    row = trace.summary
    keys = ProblemAction(ProblemCommand.OPEN_KEYS, translate("TraceReasons", "Open the keys"))
    cause = translate("TraceReasons", "Waits for a key that works")
    goes_on = translate("TraceReasons", "Planning continues when you change the key.")
    words = f"{_cause_words(row.problem)} {goes_on}"
    return Problem("key", Severity.DECIDE, "key", cause, words, (keys, _open_chat(row)))


def _capped(trace: Trace, _around: Around) -> Problem:
    row = trace.summary
    fault = row.problem.cause if row.problem is not None else None
    is_cap = fault is not None and fault.kind in {ModelFault.CAP_REACHED, ModelFault.NO_PRICE}
    costs = ProblemAction(ProblemCommand.OPEN_COSTS, translate("TraceReasons", "Open costs"))
    actions = cap_actions(fault) if is_cap and fault is not None else (costs,)
    cause = translate("TraceReasons", "Paused by a cap on costs")
    goes_on = translate("TraceReasons", "Nothing is lost: planning continues when you allow more, or after midnight.")
    return Problem("cap", Severity.DECIDE, "pause-circle", cause, f"{note_sentence(row.problem)} {goes_on}", actions)


def _replaced(trace: Trace, _around: Around) -> Problem | None:
    """Lead on to the plan that took the place of this one."""
    if trace.successor is None:
        return None
    chosen = (one.reason for one in trace.blocks if is_of(one.reason, CancelReason.VARIANT))
    words = note_sentence(next(chosen, None)) or translate("TraceReasons", "A newer plan took its place.")
    lead_on = ProblemAction(
        ProblemCommand.OPEN_TRACE, translate("TraceReasons", "Open the new plan's trace"), trace.successor
    )
    return Problem("replaced", Severity.WAITS, "refresh", state_word(trace.summary), words, (lead_on,))


def _begun_anew(trace: Trace, _around: Around) -> Problem:
    row = trace.summary
    goes_on = translate("TraceReasons", "The plan is made once more; what comes of it will stand in this trace, too.")
    words = f"{note_sentence(row.problem)} {goes_on}".strip()
    return Problem("begun anew", Severity.WAITS, "refresh", state_word(row), words, (_open_chat(row),))


def _aside(trace: Trace) -> Problem | None:
    """Return why a dry run or another version of a plan failed; nothing waits for it, and it is not tried again."""
    row = trace.summary
    if row.kind is TraceKind.PLAN or row.state not in {TraceState.FAILED, TraceState.REFUSED} or row.problem is None:
        return None
    fault = row.problem.cause or row.problem
    if fault.kind in _REFUSALS or row.state is TraceState.REFUSED:
        cause = _refused_words(fault)
    elif row.kind is TraceKind.DRY_RUN:
        cause = translate("TraceReasons", "The what-if brought no reply")
    else:
        cause = translate("TraceReasons", "No other version could be made")
    remedy = fault_remedy(fault, is_tried_again=False, has_prompt=has_prompt(trace))
    words = f"{_cause_words(row.problem)} {remedy}"
    actions = (_open_chat(row), *_open_prompt(trace))
    if row.kind is TraceKind.DRY_RUN:
        once_more = translate("TraceReasons", "Open What-if")
        target = (row.chat_id, None, None, True)
        actions = (ProblemAction(ProblemCommand.OPEN_PROMPT, once_more, target), *actions)
    return Problem("aside", Severity.BROKEN, "x-circle", cause, words, actions)


def _other(row: TraceSummary) -> Problem | None:
    """Return the reason of a plan that neither failed nor waits, such as one that was replaced."""
    words = note_sentence(row.problem)
    if not words:
        return None
    is_bad = row.state in {TraceState.FAILED, TraceState.REFUSED}
    severity, icon = (Severity.BROKEN, "x-circle") if is_bad else (Severity.WAITS, "info")
    return Problem("other", severity, icon, state_word(row), words)


def _pages(trace: Trace) -> Problem | None:
    words = _page_words(trace)
    if not words:
        return None
    cause = translate("TraceReasons", "No page could be looked up")
    return Problem("pages", Severity.WAITS, "globe", cause, words)


def _page_words(trace: Trace) -> str:
    """Return what became of the pages if none was of use, else nothing: one page less is no reason to worry."""
    pages = [one.detail for one in trace.steps if isinstance(one.detail, PageFetched)]
    if not pages or any(page.refusal is None and page.error is None for page in pages):
        return ""
    if len(pages) == 1:
        return sentence(page_outcome(pages[0]))
    refused = [page for page in pages if page.refusal is not None]
    faults = [page.error for page in pages if page.refusal is None and page.error is not None]
    number = len(pages)
    counted = translate("TraceReasons", "Of %n address(es): {counts}.", "", number)
    return counted.format(counts=", ".join(left_out_words(len(refused), faults)))


# --- parts ------------------------------------------------------------------------------------------------------------


def _cards(trace: Trace, status: TaskStatus) -> list[Approval]:
    blocks = (block.approval for block in trace.blocks)
    return [card for card in blocks if card is not None and card.task_status is status]


def _wait_of(card: Approval, around: Around) -> datetime | None:
    """Return until when Telegram asks the account to wait with such a send, or None."""
    waits = around.agent.waits if around.agent is not None else ()
    ends = [one.until for one in waits if one.method == METHODS.get(card.kind)]
    return max(ends, default=None)


def _unplanned(row: TraceSummary, around: Around) -> str:
    stays = translate("TraceReasons", "The messages are saved and wait for an answer.") if _is_current(around) else ""
    return f"{_cause_words(row.problem)} {stays}".strip()


def _cause_words(note: Note | None) -> str:
    """Return the cause of a note without the number of attempts, which the title has."""
    if note is None:
        return ""
    cause = note.cause
    if cause is None:
        return note_sentence(note)
    if cause.kind in _KNOWN:
        cause = replace(cause, words="")
    return sentence(note_words(cause))


def _is_current(around: Around) -> bool:
    problem = around.problem
    return problem is not None and (problem.is_given_up or problem.is_retried)


def _again(row: TraceSummary, around: Around) -> tuple[ProblemAction, ...]:
    """Return the ways on from a plan that was not made; one that was made since offers no other attempt."""
    now = ProblemAction(ProblemCommand.PLAN_NOW, translate("TraceReasons", "Plan now"), (row.chat_id,))
    return (*((now,) if _is_current(around) else ()), _open_chat(row))


def _open_chat(row: TraceSummary) -> ProblemAction:
    return ProblemAction(ProblemCommand.OPEN_CHAT, translate("TraceReasons", "Open the chat"), row.chat_id)


def _open_prompt(trace: Trace) -> tuple[ProblemAction, ...]:
    """Return the way to the stored prompt; none where it is not kept, as of most dry runs."""
    if not has_prompt(trace):
        return ()
    row = trace.summary
    call_id = last_call(trace) if row.graph_id is None else None
    words = translate("TraceReasons", "Open the prompt")
    return (ProblemAction(ProblemCommand.OPEN_PROMPT, words, (row.chat_id, row.graph_id, call_id)),)


def _open_agent(agent: Agent) -> ProblemAction:
    return ProblemAction(ProblemCommand.OPEN_AGENTS, translate("TraceReasons", "Open the account"), agent.agent_id)


def _open_card(card: Approval, *, is_first: bool = False) -> tuple[ProblemAction, ...]:
    """Return the way to a card; `is_first` if others wait behind it."""
    words = translate("TraceReasons", "Open the first card") if is_first else translate("TraceReasons", "Open the card")
    return (ProblemAction(ProblemCommand.OPEN_CARD, words, card.approval_id),)


_BY_STATE: dict[TraceState, Callable[[Trace, Around], Problem | None]] = {
    TraceState.REFUSED: _refused,
    TraceState.FAILED: _failed,
    TraceState.UNKNOWN: _unknown,
    TraceState.WAITING: _waiting,
    TraceState.APPROVED: _approved,
    TraceState.SENDING: _approved,
    TraceState.RETRYING: _retrying,
    TraceState.NO_KEY: _no_key,
    TraceState.CAPPED: _capped,
    TraceState.REPLACED: _replaced,
    TraceState.BEGUN_ANEW: _begun_anew,
}
