"""Why a call of the model brought no plan is said in the view models: the engine and the database have its name."""

import json

import pytest

from chimein_gui.adapters.gemini.failures import http_failure, network_failure
from chimein_gui.adapters.gemini.replies import reply_of
from chimein_gui.domain.errors import ModelError
from chimein_gui.domain.notes import Note, NoteKind, PlanningKind, PlanningProblem
from chimein_gui.domain.prompt.model_faults import ModelFault
from chimein_gui.viewmodels.words.notes import note_words, problem_cause, problem_sentence


@pytest.mark.parametrize("kind", ModelFault)
def test_every_fault_has_words(qapp, kind):
    for fault in (Note(kind), Note(kind, "{said} by others", 3)):
        words = note_words(fault)
        assert words
        assert "{" not in words.replace("{said}", "")
        assert not words.endswith(".")
    assert note_words(Note(NoteKind.MODEL_FAILED, "", 10, Note(kind))) == f"{note_words(Note(kind))} (10 attempts)"
    problem = PlanningProblem(PlanningKind.RETRYING, attempt=3, of=10, fault=Note(kind))
    assert problem_cause(problem) == note_words(Note(kind))
    assert problem_sentence(problem).startswith(note_words(Note(kind)))


def _refused(answer: dict[str, object]) -> ModelError:
    with pytest.raises(ModelError) as caught:
        reply_of(json.dumps(answer))
    return caught.value


def test_what_gemini_answers_is_said_as_the_error_says_it(qapp):
    details = {"error": {"message": "The model is overloaded"}}
    errors = [
        http_failure(503, details, {}, key="k"),
        http_failure(500, {}, {}, key="k"),
        http_failure(400, details, {}, key="k"),
        network_failure(TimeoutError()),
        network_failure(OSError()),
        _refused({"promptFeedback": {"blockReason": "SAFETY"}}),
        _refused({"promptFeedback": {"blockReason": "SOMETHING_NEW"}}),
        _refused({"candidates": [{"finishReason": "RECITATION", "content": {"parts": [{"text": "half"}]}}]}),
        _refused({"candidates": [{"finishReason": "MAX_TOKENS"}]}),
        _refused({"candidates": [{"finishReason": "MISSING_THOUGHT_SIGNATURE"}]}),
        _refused({"candidates": [{"finishReason": "NO_IMAGE"}]}),
        _refused({"candidates": [{"finishReason": "SOMETHING_NEW"}]}),
        _refused({"candidates": [{"finishReason": "STOP", "content": {"parts": [{"text": "hm", "thought": True}]}}]}),
        _refused({}),
    ]
    assert [note_words(error.fault) for error in errors] == [str(error).removesuffix(".") for error in errors]
