"""What earlier versions kept of a model's faults as sentences is kept by name since the fifteenth migration."""

from __future__ import annotations

import pytest

from chimein_gui.adapters.store.migrations.words.model import note_of_fault, problem_with_fault
from chimein_gui.adapters.store.rows.values import note_from_text, note_to_text, problem_from_text, problem_to_text
from chimein_gui.domain.notes import Note, NoteKind, PlanningKind, PlanningProblem
from chimein_gui.domain.prompt.model_faults import ModelFault
from chimein_gui.domain.tasks import CancelReason

F = ModelFault
SENTENCES = {
    "13 model calls brought no reply": Note(F.CALLS_USED_UP, number=13),
    "The key was changed during the call": Note(F.CHANGED_KEY),
    "The model did not answer within 60 s": Note(F.NO_ANSWER, number=60),
    "Gemini can't answer now (HTTP 503): The model is overloaded.": Note(
        F.ANSWERED_LATER, "The model is overloaded.", 503
    ),
    "Gemini can't answer now (HTTP 500).": Note(F.ANSWERED_LATER, number=500),
    "Gemini can't answer now (HTTP 500)": Note(F.ANSWERED_LATER, number=500),
    "Gemini refuses this request (HTTP 400): No such field": Note(F.REFUSED_REQUEST, "No such field", 400),
    "Gemini did not answer in time.": Note(F.TIMED_OUT),
    "Gemini can't be reached": Note(F.UNREACHABLE),
    "There can't be a model named 'a b'.": Note(F.NO_SUCH_MODEL, "a b"),
    "Gemini blocked the prompt because of its safety filters.": Note(F.PROMPT_BLOCKED, "SAFETY"),
    "Gemini blocked the prompt because of SOMETHING_NEW.": Note(F.PROMPT_BLOCKED, "SOMETHING_NEW"),
    "Gemini broke off its reply because it regards the content as prohibited.": Note(
        F.REPLY_BLOCKED, "PROHIBITED_CONTENT"
    ),
    "This model makes images and writes no replies. Choose another model.": Note(F.MAKES_IMAGES),
    "Gemini ended without a reply (OTHER).": Note(F.ENDED_WITHOUT_REPLY, "OTHER"),
}
"""A sentence of each form that version 14 stored of a fault."""

UNKNOWN = "a fault that nobody foresaw."


@pytest.mark.parametrize("sentence", SENTENCES)
def test_every_old_sentence_has_its_name(sentence: str) -> None:
    fault = SENTENCES[sentence]
    for attempts in (0, 10):
        old = note_to_text(Note(NoteKind.MODEL_FAILED, sentence, attempts))
        assert note_from_text(note_of_fault(old)) == Note(NoteKind.MODEL_FAILED, "", attempts, fault)
        for kind in (PlanningKind.RETRYING, PlanningKind.ASKED_TO_WAIT, PlanningKind.FAILED):
            of_chat = problem_to_text(PlanningProblem(kind, sentence, 7, attempts, 10))
            assert problem_from_text(problem_with_fault(of_chat)) == PlanningProblem(
                kind, "", 7, attempts, 10, fault=fault
            )
    short = problem_to_text(PlanningProblem(PlanningKind.FAILED, sentence))
    assert problem_from_text(problem_with_fault(short)) == PlanningProblem(PlanningKind.FAILED, fault=fault)


def test_what_nobody_knows_stays() -> None:
    note = note_to_text(Note(NoteKind.MODEL_FAILED, UNKNOWN, 10))
    problem = problem_to_text(PlanningProblem(PlanningKind.FAILED, UNKNOWN, attempt=10))
    of_reply = problem_to_text(PlanningProblem(PlanningKind.OTHER, "Gemini can't be reached"))
    assert (note_of_fault(note), problem_with_fault(problem), problem_with_fault(of_reply)) == (note, problem, of_reply)
    silent = problem_to_text(PlanningProblem(PlanningKind.SILENT))
    assert problem_with_fault(silent) == silent


@pytest.mark.parametrize("kind", ModelFault)
def test_every_fault_comes_back_as_it_was_stored(kind: ModelFault) -> None:
    assert kind.value not in {one.value for one in (*NoteKind, *CancelReason)}
    for fault in (Note(kind), Note(kind, "w", 3)):
        note = Note(NoteKind.MODEL_FAILED, "", 10, fault)
        assert note_from_text(note_to_text(note)) == note
        problem = PlanningProblem(PlanningKind.FAILED, attempt=10, fault=fault)
        assert problem_from_text(problem_to_text(problem)) == problem
