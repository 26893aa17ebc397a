"""Whether a key works, in words: the real google-genai client against the sandbox's model, and worse servers."""

from __future__ import annotations

import contextlib
import logging
from collections.abc import AsyncIterator
from dataclasses import replace
from typing import Any

import pytest

from chimein_gui.adapters.gemini.key_check import GeminiKeyChecker
from chimein_gui.adapters.gemini.model import GeminiModel
from chimein_gui.domain.errors import ModelKeyError
from chimein_gui.domain.notes import Note
from chimein_gui.domain.notes.keys import KeyReason
from chimein_gui.domain.prompt.prompts import Prompt, PromptSection, Role, Turn
from chimein_gui.domain.settings.preferences import Preferences
from chimein_gui.engine.ports import KeyVerdict
from chimein_gui.sandbox.model.endpoint import ModelEndpoint
from chimein_gui.sandbox.model.errors import BAD_KEY
from chimein_gui.sandbox.model.script import ModelScript
from chimein_gui.viewmodels.words.notes import note_sentence
from tests.support.model_server import serving

CANARY = "AIza-canary-5f2c"
PROMPT = Prompt("gemini-2.5-flash", (PromptSection("Role", "Be Nora."),), (Turn(Role.USER, ("hello",)),))


@contextlib.asynccontextmanager
async def sandbox() -> AsyncIterator[tuple[str, ModelScript]]:
    """Serve the sandbox's model."""
    script = ModelScript()
    endpoint = ModelEndpoint(script)
    try:
        yield f"http://127.0.0.1:{await endpoint.start('127.0.0.1', 0)}", script
    finally:
        await endpoint.aclose()


async def verdict(url: str, key: str = CANARY, timeout_s: float = 10.0) -> KeyVerdict:
    return await GeminiKeyChecker(url, timeout_s).check(key)


def error(code: int, message: str, reason: str = "") -> dict[str, Any]:
    details = [{"@type": "type.googleapis.com/google.rpc.ErrorInfo", "reason": reason}] if reason else []
    return {"error": {"code": code, "message": message, "details": details}}


async def test_a_good_key_works_and_the_models_that_write_are_counted(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG)
    async with sandbox() as (url, script):
        found = await verdict(url, f" {CANARY}\n")
        assert replace(found, names=frozenset()) == KeyVerdict(
            ok=True, note=Note(KeyReason.KEY_WORKS, number=5), models=5
        )
        assert len(found.names) == 5
        assert Preferences().model in found.names, "as it is written in Preferences"
        assert script.total_calls == 0
    assert CANARY not in caplog.text


async def test_a_bad_key_is_not_known() -> None:
    async with sandbox() as (url, _):
        found = await verdict(url, BAD_KEY)
    assert not found.ok
    assert found.note == Note(KeyReason.KEY_NOT_VALID)


@pytest.mark.parametrize("key", ["", "  ", "two words", "schlüssel", "line\nbreak"])
async def test_what_can_be_no_key_is_not_sent(key: str) -> None:
    found = await verdict("http://127.0.0.1:9", key)
    assert not found.ok
    assert found.note == Note(KeyReason.KEY_MISSING)


@pytest.mark.parametrize(
    ("status", "body", "words"),
    [
        (400, error(400, "User location is not supported for the API use."), "may work elsewhere"),
        (403, error(403, "Gemini API has not been used in project 1 before", "SERVICE_DISABLED"), "switched off"),
        (403, error(403, "Requests are blocked.", "API_KEY_SERVICE_BLOCKED"), "restricted"),
        (403, error(403, "Your API key was reported as leaked."), "reported as leaked"),
        (400, error(400, f"bad {CANARY}", "API_KEY_INVALID"), "does not know this key"),
        (401, error(401, "no"), "does not know this key"),
        (403, error(403, f"as ordered {CANARY}"), "refuses"),
        (404, error(404, f"as ordered {CANARY}"), "refused the check"),
        (429, error(429, f"as ordered {CANARY}"), "quota is used"),
        (500, error(500, f"as ordered {CANARY}"), "could not be checked"),
        (200, b"<html>Welcome to our hotel", "was not Gemini"),
        (302, b"", "was not Gemini"),
        (403, b"<html>This site is blocked by your company", "was not Gemini"),
        (401, b"", "was not Gemini"),
        (503, b"<html>Bad gateway", "could not be checked"),
        (200, {"models": 3}, "was not Gemini"),
        (200, {"models": []}, "can't be used with any model"),
    ],
)
async def test_every_refusal_has_its_own_words(status: int, body: Any, words: str) -> None:
    async with serving() as (server, _model):
        server.answer(body, status)
        found = await verdict(server.url)
    assert not found.ok
    assert words in note_sentence(found.note)
    assert CANARY not in note_sentence(found.note)


async def test_no_network_says_nothing_of_the_key() -> None:
    found = await verdict("http://127.0.0.1:9")
    assert not found.ok
    assert found.note == Note(KeyReason.GEMINI_UNREACHABLE)


async def test_an_answer_that_never_comes_is_given_up() -> None:
    async with serving() as (server, _model):
        server.silent = True
        found = await verdict(server.url, timeout_s=0.2)
    assert not found.ok
    assert found.note == Note(KeyReason.GEMINI_SILENT)


async def test_a_model_takes_the_key_of_the_moment() -> None:
    key = BAD_KEY
    async with sandbox() as (url, script):
        model = GeminiModel(lambda: key, url)
        try:
            script.queue_reply("# «send»\nYes.")
            with pytest.raises(ModelKeyError):
                await model.generate(PROMPT)
            key = CANARY
            assert (await model.generate(PROMPT)).text == "# «send»\nYes."
            key = ""
            with pytest.raises(ModelKeyError, match="key unusable"):
                await model.generate(PROMPT)
        finally:
            await model.aclose()
