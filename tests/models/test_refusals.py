"""A refusal is told in its words; a bug of ours is told as one, logged by the job runner, and leaves no button grey."""

import ast
from pathlib import Path

import pytest

import chimein_gui.viewmodels
from chimein_gui.domain.errors import NotFoundError, Refusal, RefusedError
from chimein_gui.domain.notes import Note, NoteKind
from chimein_gui.domain.notes.reasons import AnyReason
from chimein_gui.domain.prompt.model_faults import ModelFault
from chimein_gui.viewmodels.words.errors import error_words, is_answer
from chimein_gui.viewmodels.words.notes import note_sentence
from chimein_gui.viewmodels.words.reasons import WORDS
from tests.fakes.engine_api import BIG, approval, run_now

OUR_BUG = "An internal error occurred. Details are in the log."
REASONS = [*WORDS, *ModelFault]
BUGS = [KeyError(42), IndexError("list index out of range"), LookupError("odd"), RuntimeError("it broke")]


class Runner:
    """Runs jobs at once and keeps what one ends with, as the job runner logs it."""

    def __init__(self):
        self.errors = []

    def __call__(self, job, *, name):
        try:
            return run_now(job, name=name)
        except Exception as error:  # noqa: BLE001 - what nobody has caught
            self.errors.append(error)
            return None


@pytest.fixture
def editor(room):
    room.api.approvals[BIG + 1] = approval(seen_up_to=4)
    room.attach()
    room.runner, room.failures = Runner(), []
    room.models.actions.failed.connect(room.failures.append)
    room.models.actions.attach(room.api, room.runner)
    return room


@pytest.mark.parametrize("error", BUGS, ids=lambda error: type(error).__name__)
def test_a_bug_in_a_decision_is_told_as_one_and_frees_the_card(editor, error):
    told: list[object] = []
    editor.models.approvals.chats_changed.connect(told.append)
    editor.api.fail = error
    editor.models.actions.approve(editor.models.approvals.find(BIG + 1))
    assert editor.models.actions.is_in_flight(BIG + 1)
    editor.settle()
    assert not editor.models.actions.is_in_flight(BIG + 1)
    assert editor.failures == [OUR_BUG]
    assert editor.runner.errors == [error]
    assert told == [frozenset({1})], "nothing tells the card that its buttons count again"


@pytest.mark.parametrize("error", BUGS, ids=lambda error: type(error).__name__)
def test_a_bug_is_never_shown_in_its_own_words(error):
    assert error_words(error) == OUR_BUG
    assert not is_answer(error)


@pytest.mark.parametrize(
    ("error", "words"),
    [
        (RefusedError(Note(NoteKind.OTHER, "Telegram says no.")), "Telegram says no."),
        (RefusedError("whatever", Refusal.FILE_GONE), "The file of this agent is gone. Put it back first."),
        (NotFoundError("no approval 7"), "It no longer exists."),
        (TimeoutError(), "No answer in time."),
        (ConnectionError(5, "gone"), "gone."),
    ],
)
def test_an_answer_has_words(error, words):
    assert error_words(error) == words
    assert is_answer(error)


def test_every_refusal_has_words():
    for refusal in set(Refusal) - {Refusal.NOTED}:
        assert error_words(RefusedError("only for the log", refusal)) != "only for the log"


def test_nothing_takes_a_lookup_error_for_an_answer():
    """A KeyError is one: what is caught under this name would hide bugs."""
    caught = [
        module.name
        for module in Path(chimein_gui.viewmodels.__file__).parent.rglob("*.py")
        for node in ast.walk(ast.parse(module.read_text("utf-8")))
        if isinstance(node, ast.ExceptHandler) and "LookupError" in ast.unparse(node.type or node)
    ]
    assert caught == ["message_words.py"], "what is read there is a message's JSON, and no answer"


def test_rows_of_what_is_gone_are_told_in_words_and_not_by_a_number(room):
    async def gone(_chat_id):
        raise NotFoundError("no chat 7")

    room.api.saved_edits.load = gone
    room.attach()
    told: list[str] = []
    room.of_chats.saved_edits.failed.connect(told.append)
    room.of_chats.saved_edits.open(7)
    room.settle()
    assert told == ["It no longer exists."]


def test_every_reason_has_words_of_its_own_in_english_and_in_german(in_german):
    def said():
        return [note_sentence(Note(reason, "WORDS", 3, Note(NoteKind.OTHER, "WHY"), "MORE")) for reason in REASONS]

    english, german = said(), in_german(said)
    assert set(WORDS) == {reason for group in AnyReason.__subclasses__() for reason in group}
    assert set(english) & set(german) == {"WORDS.", "WORDS: WHY."}
    assert len(set(english)) == len(set(german)) == len(REASONS)
    assert not [words for words in (*english, *german) if "{" in words or "%n" in words or words[-1] not in ".?!"]
