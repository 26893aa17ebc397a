"""Words are made in the view models, and only there: of notes, replies, the model's faults and refusals."""

import ast
import json
from pathlib import Path

import pytest

import chimein_gui
from chimein_gui.adapters.gemini.failures import http_failure, network_failure
from chimein_gui.adapters.gemini.replies import reply_of
from chimein_gui.domain.agent_files.edits import ORDER
from chimein_gui.domain.chats import TrustLevel
from chimein_gui.domain.errors import GatewayError, MediaTrouble, MediaUnavailableError, ModelError, SendRefusedError
from chimein_gui.domain.notes import Note, NoteKind, PlanningKind, PlanningProblem
from chimein_gui.domain.prompt.memories import RELEVANT
from chimein_gui.domain.prompt.model_faults import ModelFault
from chimein_gui.domain.replies.problems import ReplyFault, ReplyProblem
from chimein_gui.domain.replies.replies import parse_reply
from chimein_gui.domain.tasks import CancelReason
from chimein_gui.engine.sending.confirmation import WRITING_FORBIDDEN
from chimein_gui.viewmodels.words.errors import error_words
from chimein_gui.viewmodels.words.notes import (
    note_beside_status,
    note_words,
    problem_cause,
    problem_sentence,
    problem_words,
)
from chimein_gui.viewmodels.words.refusals import refusal_words
from chimein_gui.viewmodels.words.replies import reply_problem_words, reply_problems_words
from chimein_gui.viewmodels.words.trust import trust_word
from tests.fakes.engine_api import approval

PACKAGE = Path(chimein_gui.__file__).parent


@pytest.mark.parametrize("kind", [*NoteKind, *CancelReason])
def test_every_note_has_words(kind):
    words = note_words(Note(kind, "said by others", 3, Note(NoteKind.HELD, "lunch")))
    assert words
    assert "{" not in words
    assert note_words(Note(kind)) or kind in {NoteKind.OTHER, NoteKind.REFUSED, NoteKind.LIMITED, NoteKind.NO_KEY}


@pytest.mark.parametrize("kind", PlanningKind)
def test_every_planning_problem_has_words(kind):
    problem = PlanningProblem(kind, "the {service} said so", 37, 4)
    for words in (problem_words(problem), problem_cause(problem), problem_sentence(problem)):
        assert words
        assert "{why}" not in words
    assert problem_words(PlanningProblem(kind)) or kind is PlanningKind.OTHER
    assert (problem_words(None), problem_sentence(None), note_words(None)) == ("", "", "")


def test_a_note_says_what_belongs_to_it():
    assert note_words(Note(NoteKind.HELD, "lunch")) == "Held: lunch"
    assert note_words(Note(NoteKind.SWITCHED, "auto")) == "The chat was set to Auto"
    assert [level for level in TrustLevel if trust_word(level) == level.value] == []
    assert note_words(Note(NoteKind.REFUSED, "no", 2)) == (
        "Part 2 was refused, the parts before it were sent: Telegram refused: no."
    )
    against = Note(NoteKind.NOT_FOUND, cause=Note(NoteKind.TAKEN_OVER))
    assert note_words(against) == "Not found in the chat on Telegram. You wrote in this chat yourself"
    part = Note(NoteKind.PART_SENT, cause=Note(NoteKind.DELETED))
    assert note_words(part) == "Deleted for everyone; the partner may have seen it; part of it was already sent"


def test_a_card_does_not_say_of_a_hold_what_its_fate_says():
    held = approval(note=Note(NoteKind.APPROVED_HELD))
    assert note_beside_status(held, held=True) == ""
    assert note_beside_status(held, held=False) == "Approved, held"
    assert note_beside_status(approval(note=Note(NoteKind.WENT_ON)), held=True) != ""


def test_nothing_decides_by_a_sentence():
    """Neither the engine nor the window compares with words that a person reads, or looks into them."""
    trees = {
        module: ast.parse(module.read_text("utf-8"))
        for place in ("domain", "engine", "viewmodels", "ui")
        for module in (PACKAGE / place).rglob("*.py")
    }
    found = []
    for module, tree in trees.items():
        named = _named(tree, trees)
        nodes = [node for node in ast.walk(tree) if isinstance(node, ast.expr)]
        compared = [(node.lineno, place) for node in nodes for place in _compared(node)]
        found += [
            f"{module.relative_to(PACKAGE)}:{line}"
            for line, place in compared
            if any(map(_is_sentence, _texts(place, named)))
        ]
    assert found == []


def _named(tree: ast.Module, trees: dict[Path, ast.Module]) -> dict[str, str]:
    """Return the texts that a module knows by a name, its own and those it imports."""
    imported = {
        name: text
        for statement in tree.body
        if isinstance(statement, ast.ImportFrom)
        for module in (PACKAGE.parent.joinpath(*(statement.module or "").split(".")).with_suffix(".py"),)
        if module in trees
        for name, text in _constants(trees[module])
        if name in {alias.name for alias in statement.names}
    }
    return imported | dict(_constants(tree))


def _constants(tree: ast.Module) -> list[tuple[str, str]]:
    """Return the texts that have a name of their own in a module."""
    return [
        (target.id, text)
        for statement in tree.body
        if isinstance(statement, ast.Assign)
        for target in statement.targets
        if isinstance(target, ast.Name)
        for text in _texts(statement.value, {})
    ]


def _compared(node: ast.expr) -> list[ast.expr]:
    """Return what something is compared with, or what it is asked to begin or end with."""
    if isinstance(node, ast.Compare):
        return [node.left, *node.comparators]
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
        return node.args if node.func.attr in {"startswith", "endswith", "removeprefix", "removesuffix"} else []
    return []


def _texts(place: ast.expr, named: dict[str, str]) -> list[str]:
    if isinstance(place, ast.Call):
        return []  # what a call makes of a text is something else
    found = [one.value for one in ast.walk(place) if isinstance(one, ast.Constant) and isinstance(one.value, str)]
    return found + [named[one.id] for one in ast.walk(place) if isinstance(one, ast.Name) and one.id in named]


def _is_sentence(text: str) -> bool:
    """Tell whether a text is for people: several words that begin with a capital letter, or end as sentences do.

    The headings of agent files are the names of its fields, and the title of a section is its name in what was sent.
    """
    return " " in text.strip() and (text[:1].isupper() or text.endswith(".")) and text not in (*ORDER, RELEVANT)


SAID = ("Foxes {0}", "{number} of", "no")


@pytest.mark.parametrize("fault", ReplyFault)
def test_every_fault_has_words_and_names_its_line(qapp, fault):
    words = reply_problem_words(ReplyProblem(fault, 3, 20, SAID))
    assert words.startswith("line 3: ")
    left = words.replace("Foxes {0}", "").replace("{number} of", "")
    assert "{" not in left
    assert reply_problem_words(ReplyProblem(fault, 0, 20, SAID)) == words.removeprefix("line 3: ")


def test_a_fault_says_what_belongs_to_it(qapp):
    asked = {
        ReplyProblem(ReplyFault.TOO_LONG, 2, 40_961): "line 2: a message of 40,961 characters was cut",
        ReplyProblem(ReplyFault.NO_MESSAGE, 1, 987654321): (
            "line 1: there is no message 987654321 in this chat; sent without a reply"
        ),
        ReplyProblem(ReplyFault.STICKER_NOT_FOUND_OUT, 1, said=("🦊", "Foxes", "the line is cut")): (
            "line 1: the sticker 🦊 of Foxes could not be looked up (the line is cut); it goes as text"
        ),
        ReplyProblem(ReplyFault.STICKER_NOT_FOUND_OUT, 1, said=("🦊", "Foxes", "")): (
            "line 1: the sticker 🦊 of Foxes could not be looked up (Telegram did not answer); it goes as text"
        ),
        ReplyProblem(ReplyFault.OTHER, said=("told long ago",)): "told long ago",
    }
    assert {problem: reply_problem_words(problem) for problem in asked} == asked
    assert reply_problems_words(list(asked)[:2]) == "\n".join(list(asked.values())[:2])


def test_a_plan_says_what_was_wrong_with_its_reply(qapp):
    (cause,) = parse_reply("# «dance»\nwildly").problems
    said = "line 1: «dance» is not a type of block"
    assert problem_words(PlanningProblem(PlanningKind.PARTLY_USED, cause=cause)).endswith(f"changed: {said}")
    assert problem_words(PlanningProblem(PlanningKind.NOTHING_USABLE, cause=cause)).endswith(f"used ({said}).")
    assert problem_words(PlanningProblem(PlanningKind.NOTHING_USABLE)).endswith("used.")


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


TELEGRAM = Path(chimein_gui.__file__).parent / "adapters" / "telegram"
BLOCKED = "The partner has blocked this account."


def _refused_by_the_gateway() -> set[str]:
    """Return the names of what the gateway refuses itself, without asking Telegram."""
    calls = [
        node
        for module in TELEGRAM.rglob("*.py")
        for node in ast.walk(ast.parse(module.read_text("utf-8")))
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "SendRefusedError"
    ]
    codes = [call.args[1] for call in calls]
    return {code.value for code in codes if isinstance(code, ast.Constant) and isinstance(code.value, str)}


def test_what_is_known_has_words_and_everything_else_its_name(qapp):
    own = _refused_by_the_gateway()
    assert {"CHAT_NEVER_MET", "NOT_ENCODABLE", "ONE_PERSON_ONLY", "STICKER_ID_INVALID"} == own
    for code in own | WRITING_FORBIDDEN | {"PEER_FLOOD", "FROZEN_METHOD_INVALID", "FROZEN_PARTICIPANT_MISSING"}:
        assert code not in refusal_words(code)
    assert refusal_words("SOMETHING_NEW") == "Telegram refused: SOMETHING_NEW."
    assert refusal_words("{code}") == "Telegram refused: {code}."


@pytest.mark.parametrize("kind", [NoteKind.REFUSED, NoteKind.LIMITED])
def test_a_note_of_a_refusal_says_what_its_name_means(qapp, kind):
    assert note_words(Note(kind, "USER_IS_BLOCKED")) == BLOCKED
    told_long_ago = Note(kind, cause=Note(NoteKind.OTHER, "The chat is gone"))
    assert note_words(told_long_ago) == "The chat is gone"
    again = "Sending it again was refused: "
    assert note_words(Note(NoteKind.REPEAT_REFUSED, "USER_IS_BLOCKED")) == again + BLOCKED
    part = "Part 2 was refused, the parts before it were sent: "
    assert note_words(Note(NoteKind.REFUSED, "USER_IS_BLOCKED", 2)) == part + BLOCKED


def test_an_error_is_told_by_its_name_wherever_it_comes_from(qapp):
    refused = SendRefusedError("for the log", "USER_IS_BLOCKED")
    assert error_words(refused) == BLOCKED
    media = MediaUnavailableError("for the log", MediaTrouble.GONE)
    media.__cause__ = refused
    assert error_words(media) == BLOCKED
    assert error_words(GatewayError("no line")) == "This did not work: “no line”"
    of_model = ModelError("for the log", Note(ModelFault.NO_ANSWER))
    assert error_words(of_model) == note_words(of_model.fault) + "."
