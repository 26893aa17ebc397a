"""A failed call says beside its bar why, in a word, and in its details what to do; stored with its trace."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from chimein_gui.domain.costs import CallEnd
from chimein_gui.domain.errors import ModelError, ModelKeyError, ModelRefusedError, ModelTransientError
from chimein_gui.domain.notes import Note, NoteKind
from chimein_gui.domain.prompt.model_faults import ModelFault
from chimein_gui.domain.traces.otlp import otlp_of
from chimein_gui.domain.traces.steps import CallStep, StepKind
from chimein_gui.domain.traces.summaries import TraceKind
from chimein_gui.viewmodels.core.clock import ClockFace
from chimein_gui.viewmodels.traces.call_faults import fault_remedy, fault_word
from chimein_gui.viewmodels.traces.fact_words import request_facts, step_facts
from chimein_gui.viewmodels.traces.step_words import step_note
from tests.support.planning_room import planning_room
from tests.support.reading_traces import newest

BEFORE_THE_CALL = {
    ModelFault.CALLS_USED_UP,
    ModelFault.CAP_REACHED,
    ModelFault.NO_PRICE,
    ModelFault.ONLY_LOOKS_UP,
    ModelFault.ONLY_PAGES,
    ModelFault.BROKE_OFF,
}
"""Faults of a plan whose calls were answered, or not made."""

REFUSED = {
    ModelFault.REFUSED_REQUEST,
    ModelFault.NO_SUCH_MODEL,
    ModelFault.PROMPT_BLOCKED,
    ModelFault.REPLY_BLOCKED,
    ModelFault.TOKENS_USED_UP,
    ModelFault.SIGNATURE_MISSING,
    ModelFault.MAKES_IMAGES,
}
"""Faults after which a plan is given up at once."""

PROMISES = ("is tried again", "The plan is made")


@pytest.mark.parametrize("kind", [kind for kind in ModelFault if kind not in BEFORE_THE_CALL])
def test_each_fault_of_a_call_has_a_word_and_a_remedy(kind: ModelFault) -> None:
    note = Note(kind, "words", 400)
    assert 0 < len(fault_word(note)) <= 20
    assert fault_remedy(note).endswith(".")


@pytest.mark.parametrize(
    ("note", "word"),
    [
        (Note(ModelFault.REFUSED_REQUEST, "Malformed.", 400), "refused"),
        (Note(ModelFault.REFUSED_REQUEST, "", 413), "too large"),
        (Note(ModelFault.REFUSED_REQUEST, "The input token count (2) exceeds the maximum (1).", 400), "too large"),
        (Note(ModelFault.ANSWERED_LATER, "", 429), "too many requests"),
        (Note(ModelFault.ANSWERED_LATER, "", 503), "overloaded"),
        (Note(ModelFault.ANSWERED_LATER, "", 500), "server error"),
        (Note(NoteKind.OTHER, "Something else."), ""),
    ],
)
def test_what_the_service_says_more_exactly(note: Note, word: str) -> None:
    assert fault_word(note) == word


@pytest.mark.parametrize(
    ("error", "beside", "to_do"),
    [
        (
            ModelKeyError("403", Note(ModelFault.KEY_NOT_ACCEPTED, "Not allowed.", 403)),
            "failed: rejected key",
            "Check the key in Preferences.",
        ),
        (ModelTransientError("late", fault=Note(ModelFault.TIMED_OUT)), "failed: timed out", "tried again"),
        (ModelRefusedError("no", Note(ModelFault.PROMPT_BLOCKED, "SAFETY")), "failed: prompt blocked", "the prompt"),
        (ModelTransientError("Nobody knows"), "failed", "tried again"),
    ],
)
async def test_the_trace_keeps_why_a_call_failed(tmp_path: Path, error: ModelError, beside: str, to_do: str) -> None:
    async with planning_room(tmp_path) as room:
        room.model.script.append(error)
        await room.plan("when?")
        trace = await newest(room)
    (step,) = [one for one in trace.steps if one.kind is StepKind.MODEL_CALL]
    assert isinstance(step.detail, CallStep)
    assert step.detail.call.end is CallEnd.FAILED
    assert step_note(step) == beside
    clock = ClockFace(lambda: trace.summary.began_at)
    for facts in (step_facts(trace, step, clock)[1], request_facts(trace, step, clock, "")[1]):
        known = dict(facts)
        assert sum(value.startswith("failed") for value in known.values()) <= 1
        assert to_do in known["What to do"]
        assert known["Why"].endswith((".", "?")), "a sentence"
    exported = str(otlp_of([trace], "1", with_content=False))
    assert ("key not accepted" in exported) == isinstance(error, ModelKeyError)
    aside = replace(trace, summary=replace(trace.summary, kind=TraceKind.VARIANT))
    for facts in (step_facts(aside, step, clock)[1], request_facts(aside, step, clock, "")[1]):
        assert not any(words in dict(facts)["What to do"] for words in PROMISES), "another version is made once"


@pytest.mark.parametrize("kind", [kind for kind in ModelFault if kind not in BEFORE_THE_CALL])
def test_another_attempt_is_promised_only_where_one_follows(kind: ModelFault) -> None:
    assert not any(words in fault_remedy(Note(kind), is_tried_again=False) for words in PROMISES)
    if kind in REFUSED:
        assert not any(words in fault_remedy(Note(kind)) for words in PROMISES)
