"""Facts of one step of a trace, each with its name."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from PySide6.QtCore import QCoreApplication

from chimein_gui.domain.notes import NoteKind
from chimein_gui.domain.plans.decision_log import DecisionKind
from chimein_gui.domain.prompt.model_faults import ModelFault
from chimein_gui.domain.tasks import ApprovalState, LedgerState
from chimein_gui.domain.traces.entries import AttemptEnded, ToolUse
from chimein_gui.domain.traces.steps import INSTANTS, ApprovalStep, CallStep, SendStep, StepState
from chimein_gui.domain.traces.summaries import TraceKind
from chimein_gui.viewmodels.decisions.words import cause_words, kind_words
from chimein_gui.viewmodels.traces.call_faults import fault_remedy
from chimein_gui.viewmodels.traces.step_words import ended_words, step_name, step_note, tokens_words, took_words
from chimein_gui.viewmodels.traces.steps import has_prompt
from chimein_gui.viewmodels.traces.words import (
    NOTHING,
    cost_digits,
    dollars_exact,
    guessed,
    problem_sentence,
    seconds_words,
    state_word,
    trace_title,
)
from chimein_gui.viewmodels.words.notes import note_sentence, note_words
from chimein_gui.viewmodels.words.replies import reply_problem_words

if TYPE_CHECKING:
    from chimein_gui.domain.notes import Note
    from chimein_gui.domain.traces.steps import SentPart, Trace, TraceStep
    from chimein_gui.viewmodels.core.clock import ClockFace

translate = QCoreApplication.translate

QUOTED = frozenset({ModelFault.ANSWERED_LATER, ModelFault.KEY_NOT_ACCEPTED, ModelFault.REFUSED_REQUEST})
"""Faults with words of the service behind our own."""

Facts = tuple[tuple[str, str], ...]


def step_facts(trace: Trace, step: TraceStep | None, clock: ClockFace) -> tuple[str, Facts]:
    """Return title and facts of a step; without one, of the whole trace. Values may be foreign."""
    if step is None:
        return trace_title(trace.summary), _trace_facts(trace, clock)
    parts = [one for one in trace.steps if one.parent_id == step.step_id]
    note, ended = step_note(step, parts), ended_words(step)
    is_open, detail = step.state is StepState.OPEN, step.detail
    is_guess = isinstance(detail, CallStep) and detail.call.estimated
    cost = guessed(dollars_exact(step.usd, cost_digits(trace)), is_guess=is_guess) if step.usd else ""
    began = translate("TraceFacts", "At") if step.kind in INSTANTS else translate("TraceFacts", "Began")
    facts = [
        (translate("TraceFacts", "What happened"), "" if note == ended else note),
        (translate("TraceFacts", "Ended"), "" if is_open or note.startswith(f"{ended}: ") else ended),
        (translate("TraceFacts", "Since") if is_open else began, _moment(step.began_at, clock)),
        (translate("TraceFacts", "So far") if is_open else translate("TraceFacts", "Took"), took_words(step)),
        (translate("TraceFacts", "Tokens"), tokens_words(step)),
        (translate("TraceFacts", "Cost"), cost),
    ]
    if isinstance(detail, CallStep) and detail.call.fault is not None:
        facts[1:1] = _fault_facts(trace, detail.call.fault)
    if isinstance(detail, AttemptEnded) and detail.reason is not None and note != note_words(detail.reason):
        facts.insert(1, (translate("TraceFacts", "Why"), note_sentence(detail.reason)))
    if isinstance(detail, ToolUse):
        facts.append((translate("TraceFacts", "Asked for"), detail.arguments[:2000]))
    if isinstance(detail, ApprovalStep):
        facts += _decision_facts(detail)
    if isinstance(detail, SendStep):
        for part in detail.parts:
            name = translate("TraceFacts", "Part {n}").format(n=part.index + 1)
            facts.append((name, f"random_id {part.random_id} · {_part_words(part)}"))
    return step_name(step), _there(facts)


def _decision_facts(one: ApprovalStep) -> Facts:
    """Return what was decided on a card, and on which text: of an edit the difference tells it."""
    card, decision = one.approval, one.decision
    text = (translate("TraceFacts", "Text"), card.text)
    if decision is not None:
        cause = cause_words(decision.cause) if decision.cause is not None else ""
        return (
            (translate("TraceFacts", "Decision"), kind_words(decision.kind)),
            (translate("TraceFacts", "Reason"), cause),
            (translate("TraceFacts", "Words"), decision.words),
            (text[0], "" if decision.is_edited else decision.text),
        )
    if card.state is not ApprovalState.REJECTED:
        return (text,)
    words = card.note.words if card.note is not None and card.note.kind is NoteKind.REJECTED else ""
    return (
        (translate("TraceFacts", "Decision"), kind_words(DecisionKind.PLAN_REJECTED)),
        (translate("TraceFacts", "Words"), words),
        text,
    )


def _part_words(part: SentPart) -> str:
    """Return what became of a request."""
    if part.message_id is not None:
        return translate("TraceFacts", "message {id}").format(id=part.message_id)
    return {
        LedgerState.PREPARED: translate("TraceFacts", "not handed over yet"),
        LedgerState.UNKNOWN: translate("TraceFacts", "not known whether it arrived"),
        LedgerState.FAILED: translate("TraceFacts", "not taken by Telegram"),
    }.get(part.state, translate("TraceFacts", "no message yet"))


def _fault_facts(trace: Trace, fault: Note) -> Facts:
    is_plan = trace.summary.kind is TraceKind.PLAN
    is_quoted = fault.kind in QUOTED
    return (
        (translate("TraceFacts", "Why"), note_sentence(replace(fault, words="") if is_quoted else fault)),
        (translate("TraceFacts", "What the service said"), fault.words[:2000] if is_quoted else ""),
        (
            translate("TraceFacts", "What to do"),
            fault_remedy(fault, is_tried_again=is_plan, has_prompt=has_prompt(trace)),
        ),
    )


def missing_prompt_words(trace: Trace, step: TraceStep | None) -> str:
    """Return why the request of a call can't be opened; empty if it can."""
    if step is None or not isinstance(step.detail, CallStep):
        return translate("TraceFacts", "No call was made")
    if step.detail.call_id is not None:
        return ""
    if trace.summary.kind is TraceKind.DRY_RUN:
        return translate("TraceFacts", "Prompts of dry runs are not stored; What-if in the Prompt pane runs one more")
    return translate("TraceFacts", "The prompt of this call is not kept any more")


def request_facts(trace: Trace, step: TraceStep | None, clock: ClockFace, missing: str) -> tuple[str, Facts]:
    """Return title and facts of the request of a call; `missing` says why it can't be opened, or is empty."""
    if step is None or not isinstance(step.detail, CallStep):
        return translate("TraceFacts", "No call was made"), ()
    call, usage = step.detail.call, step.detail.call.usage
    number, cached = usage.prompt_tokens, usage.cached_tokens
    tokens = guessed(translate("TraceFacts", "%Ln token(s)", "", number), is_guess=call.estimated)
    tokens = tokens if number else NOTHING
    of_it = translate("TraceFacts", "%Ln token(s)", "", cached)
    facts = [
        *(_fault_facts(trace, call.fault) if call.fault is not None else ()),
        (translate("TraceFacts", "Model"), call.model),
        (translate("TraceFacts", "Purpose"), call.purpose),
        (translate("TraceFacts", "Began"), _moment(call.began_at, clock)),
        (translate("TraceFacts", "Answered in"), seconds_words(call.latency_s)),
        (translate("TraceFacts", "Prompt"), tokens),
        (translate("TraceFacts", "Cached of these"), of_it if number else ""),
        (translate("TraceFacts", "Finish"), step.detail.finish_reason),
        (translate("TraceFacts", "Estimated"), translate("TraceFacts", "yes") if call.estimated else ""),
        (translate("TraceFacts", "Exact request"), missing),
    ]
    return step_name(step), _there(facts)


def _trace_facts(trace: Trace, clock: ClockFace) -> Facts:
    row = trace.summary
    facts = [
        (translate("TraceFacts", "State"), state_word(row)),
        (translate("TraceFacts", "Why"), problem_sentence(row)),
        (translate("TraceFacts", "Began"), _moment(row.began_at, clock)),
        (translate("TraceFacts", "Ended"), _moment(row.ended_at, clock)),
        (translate("TraceFacts", "Attempts"), str(row.attempts)),
        (translate("TraceFacts", "Instruction"), trace.instruction),
        (translate("TraceFacts", "Problems"), "\n".join(reply_problem_words(one) for one in trace.problems)),
    ]
    return _there(facts)


def _there(facts: list[tuple[str, str]]) -> Facts:
    return tuple((name, value) for name, value in facts if value)


def _moment(when: object, clock: ClockFace) -> str:
    from datetime import datetime

    if not isinstance(when, datetime):
        return ""
    local = when.astimezone()
    return f"{clock.day(when)}, {local:%H:%M:%S}"
