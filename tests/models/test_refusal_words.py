"""What a refusal of Telegram's means is said in the view models: the engine and the database have its name."""

import ast
from pathlib import Path

import pytest

import chimein_gui
from chimein_gui.domain.errors import GatewayError, MediaTrouble, MediaUnavailableError, SendRefusedError
from chimein_gui.domain.notes import Note, NoteKind
from chimein_gui.engine.sending.confirmation import WRITING_FORBIDDEN
from chimein_gui.viewmodels.words.errors import error_words
from chimein_gui.viewmodels.words.notes import note_words
from chimein_gui.viewmodels.words.refusals import refusal_words

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
    assert error_words(GatewayError("no line")) == "no line"
