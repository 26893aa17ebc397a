"""The real google-genai client against an HTTP server on this machine."""

import asyncio
import json
import traceback
from base64 import b64decode
from typing import Any

import pytest

from chimein_gui.adapters.gemini.bodies import body_of
from chimein_gui.adapters.gemini.exchange import MOST_BODY_BYTES
from chimein_gui.adapters.gemini.model import GeminiModel
from chimein_gui.domain.errors import ModelError, ModelKeyError, ModelRefusedError, ModelTransientError
from chimein_gui.domain.prompt.prompts import InlineFile, ModelReply, Prompt, PromptSection, Role, Turn, Usage
from chimein_gui.sandbox.server import SandboxServer
from tests.support.model_server import CANARY, PROMPT, serving, spoken
from tests.support.steps import counted


async def test_the_sandbox_answers_and_sees_the_whole_prompt() -> None:
    server = await SandboxServer.start(state_dir=None)
    model = GeminiModel("any-key", server.addresses.model_base_url)
    try:
        server.model.queue_reply("# «send»\nFine, and you?")
        reply = await model.generate(PROMPT)
        assert reply.text == "# «send»\nFine, and you?"
        assert reply.finish_reason == "STOP"
        assert reply.usage.prompt_tokens > 0
        assert reply.usage.reply_tokens > 0
        [call] = server.model.calls
        assert call.model == "gemini-2.5-flash"
        assert call.system_instruction == PROMPT.system_instruction
        assert list(call.contents) == [
            {"role": turn.role.value, "parts": [{"text": text} for text in turn.parts]} for turn in PROMPT.turns
        ]
    finally:
        await model.aclose()
        await server.aclose()


async def test_the_wire_is_pinned() -> None:
    async with serving() as (server, model):
        server.answer(spoken("ok"))
        await model.generate(PROMPT)
        assert server.request_line == "POST /v1beta/models/gemini-2.5-flash:generateContent HTTP/1.1"
        assert server.request_headers["x-goog-api-key"] == CANARY
        assert server.request_headers["x-server-timeout"] == "20"
        assert set(server.request_body) <= {"contents", "systemInstruction", "generationConfig"}
        assert len(server.request_body["contents"]) == 3
        assert not server.request_body.get("generationConfig")


@pytest.mark.parametrize(
    "text", ["", 'He said "no"\\', "two\nlines\t\x00", "\ud83d alone", "שלום 你好 🙂", "</script>\u2028"]
)
def test_a_request_is_written_as_json_writes_it(text: str) -> None:
    picture = InlineFile("image/jpeg", b"\xff\xd8")
    turns = (Turn(Role.USER, (text, text)), Turn(Role.MODEL, (text,)), Turn(Role.USER, (text,), (picture,)))
    written = body_of(Prompt("m", (PromptSection("Role", text),), (*turns, Turn(Role.USER, ())), temperature=0.5))
    found = json.loads(written)
    assert json.dumps(found).encode() == written
    texts = [[part.get("text") for part in turn["parts"]] for turn in found["contents"]]
    assert texts == [[text, text], [text], [text, None], []]
    assert [turn["role"] for turn in found["contents"]] == ["user", "model", "user", "user"]


async def test_without_sections_there_is_no_system_instruction() -> None:
    async with serving() as (server, model):
        server.answer(spoken("ok"))
        await model.generate(Prompt("m", (), PROMPT.turns))
        assert "systemInstruction" not in server.request_body


async def test_a_picture_is_sent_behind_its_texts_but_not_kept() -> None:
    picture = InlineFile("image/jpeg", b"\xff\xd8 a picture")
    prompt = Prompt("m", (), (Turn(Role.USER, ("header", "⟦photo⟧"), (picture,)),))
    kept = GeminiModel.request_of(prompt)
    async with serving() as (server, model):
        server.answer(spoken("ok"))
        await model.generate(prompt)
        [turn] = server.request_body["contents"]
        assert [part.get("text") for part in turn["parts"]] == ["header", "⟦photo⟧", None]
        assert b64decode(turn["parts"][2]["inlineData"]["data"]) == picture.data
        server.answer(spoken("ok"))
        await model.generate_again("m", kept)
        assert [part["text"] for part in server.request_body["contents"][0]["parts"]] == ["header", "⟦photo⟧"]
    [shown] = GeminiModel.read_request(kept).turns
    assert shown.parts[2] == "⟦file⟧ (image/jpeg, 12 bytes)"


async def test_the_environment_does_not_leak_in(monkeypatch: pytest.MonkeyPatch) -> None:
    for name, value in {
        "GOOGLE_API_KEY": "wrong",
        "GEMINI_API_KEY": "wrong",
        "GOOGLE_GENAI_USE_VERTEXAI": "true",
        "GOOGLE_GENAI_USE_ENTERPRISE": "true",
        "GOOGLE_CLOUD_PROJECT": "wrong",
        "GOOGLE_CLOUD_LOCATION": "wrong",
        "GOOGLE_GEMINI_BASE_URL": "http://192.0.2.1",
        "GOOGLE_GENAI_API_VERSION": "v9",
        "GOOGLE_GENAI_HTTP_CLIENT": "httpx",
        "HTTP_PROXY": "http://192.0.2.1:3128",
        "ALL_PROXY": "http://192.0.2.1:3128",
    }.items():
        monkeypatch.setenv(name, value)
    async with serving() as (server, model):
        server.answer(spoken("ok"))
        await model.generate(PROMPT)
        assert server.request_line.startswith("POST /v1beta/models/gemini-2.5-flash:")
        assert server.request_headers["x-goog-api-key"] == CANARY


def test_without_an_address_it_is_google(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GOOGLE_GEMINI_BASE_URL", "http://192.0.2.1")
    model = GeminiModel(CANARY)
    model.prepare()
    options = model._opened().client._api_client._http_options
    assert options.base_url is not None
    assert options.base_url.rstrip("/") == "https://generativelanguage.googleapis.com"
    assert (options.api_version, options.timeout) == ("v1beta", 60_000)


async def test_thoughts_never_enter_the_text_but_are_counted() -> None:
    parts = [{"text": "she wants cake", "thought": True}, {"text": "# «send»\n"}, {"inlineData": {}}, {"text": "Yes!"}]
    counts = {"promptTokenCount": 11, "candidatesTokenCount": 7, "thoughtsTokenCount": 5, "cachedContentTokenCount": 4}
    async with serving() as (server, model):
        server.answer({"candidates": [{"content": {"parts": parts}, "finishReason": "STOP"}], "usageMetadata": counts})
        assert await model.generate(PROMPT) == ModelReply("# «send»\nYes!", Usage(11, 7, 5, 4), "STOP")


@pytest.mark.parametrize(("told", "taken"), [(2**70, 10**9), (-5, 0), (True, 0), ("9", 0), (None, 0)])
async def test_a_count_that_can_be_none_is_never_booked(told: object, taken: int) -> None:
    async with serving() as (server, model):
        candidate = {"content": {"parts": [{"text": "Yes!"}]}, "finishReason": "STOP"}
        counts = {"promptTokenCount": told, "candidatesTokenCount": told}
        server.answer({"candidates": [candidate], "usageMetadata": counts})
        assert (await model.generate(PROMPT)).usage == Usage(taken, taken)


SILENCE = [
    {"candidates": [{"finishReason": "STOP"}]},
    {"candidates": [{"content": {}, "finishReason": "STOP"}]},
    {"candidates": [{"content": {"parts": [{"text": " \n"}]}, "finishReason": "STOP"}]},
    {"candidates": [{"content": {"parts": ["nonsense", {"text": 7}]}, "finishReason": "STOP"}]},
]


@pytest.mark.parametrize("body", SILENCE)
async def test_only_an_empty_text_that_ended_by_itself_is_a_silence(body: Any) -> None:
    async with serving() as (server, model):
        server.answer(body)
        reply = await model.generate(PROMPT)
        assert (reply.text.strip(), reply.is_cut_off) == ("", False)


THOUGHT = {"text": "hidden", "thought": True}


@pytest.mark.parametrize(
    ("body", "words"),
    [
        ({}, "no reply"),
        ({"candidates": []}, "no reply"),
        ({"candidates": None}, "no reply"),
        ({"candidates": {}}, "no reply"),
        ({"candidates": ["nonsense"], "usageMetadata": "nonsense"}, "no reply"),
        ({"candidates": [{"content": {"parts": []}}], "usageMetadata": {}}, "without a reason"),
        ({"candidates": [{"content": {"parts": []}, "finishReason": 7}]}, "without a reason"),
        ({"candidates": [{"content": {"parts": [THOUGHT]}}]}, "thoughts"),
        ({"candidates": [{"content": {"parts": [THOUGHT]}, "finishReason": "STOP"}]}, "thoughts"),
        (spoken("", "OTHER"), "OTHER"),
        (spoken(" \n", "OTHER"), "OTHER"),
        (spoken("", "MALFORMED_RESPONSE"), "MALFORMED_RESPONSE"),
        (spoken("", "FINISH_REASON_UNSPECIFIED"), "FINISH_REASON_UNSPECIFIED"),
        (spoken("", "IMAGE_OTHER"), "IMAGE_OTHER"),
        (spoken("", "BRAND_NEW"), "BRAND_NEW"),
    ],
)
async def test_an_answer_without_a_reply_is_a_failure_that_another_attempt_may_cure(body: Any, words: str) -> None:
    async with serving() as (server, model):
        server.answer(body)
        with pytest.raises(ModelTransientError, match=words):
            await model.generate(PROMPT)


@pytest.mark.parametrize(
    ("finish", "words"),
    [
        ("NO_IMAGE", "makes images"),
        ("IMAGE_PROHIBITED_CONTENT", "prohibited"),
        ("MODEL_ARMOR", "Model Armor"),
        ("MISSING_THOUGHT_SIGNATURE", "signature"),
    ],
)
async def test_what_another_attempt_would_not_cure_is_refused(finish: str, words: str) -> None:
    async with serving() as (server, model):
        server.answer(spoken("", finish))
        with pytest.raises(ModelRefusedError, match=words):
            await model.generate(PROMPT)


@pytest.mark.parametrize(
    ("body", "words"),
    [
        ({"promptFeedback": {"blockReason": "SAFETY"}}, "blocked the prompt because of its safety filters"),
        ({"promptFeedback": {"blockReason": "PROHIBITED_CONTENT"}}, "prohibited"),
        ({"promptFeedback": {"blockReason": "BRAND_NEW"}}, "BRAND_NEW"),
        (spoken("half a repl", "SAFETY"), "broke off its reply because of its safety filters"),
        (spoken("", "RECITATION"), "would copy"),
        (spoken("", "MAX_TOKENS"), "tokens"),
    ],
)
async def test_a_blocked_prompt_is_refused_in_plain_words(body: Any, words: str) -> None:
    async with serving() as (server, model):
        server.answer(body)
        with pytest.raises(ModelRefusedError, match=words):
            await model.generate(PROMPT)


@pytest.mark.parametrize("finish", ["MAX_TOKENS", "OTHER", "MALFORMED_RESPONSE", "BRAND_NEW", None])
async def test_a_text_that_did_not_come_to_its_end_is_kept_and_marked(finish: str | None) -> None:
    async with serving() as (server, model):
        body = spoken("as far as it", "STOP")
        body["candidates"][0]["finishReason"] = finish
        server.answer(body)
        reply = await model.generate(PROMPT)
        assert (reply.text, reply.finish_reason, reply.is_cut_off) == ("as far as it", finish or "", True)


def fault(status: str, *details: dict[str, Any], message: str = "It said so.") -> dict[str, Any]:
    return {"error": {"code": 0, "message": message, "status": status, "details": list(details)}}


RETRY_INFO = {"@type": "type.googleapis.com/google.rpc.RetryInfo", "retryDelay": "17.5s"}
KEY_INFO = {"@type": "type.googleapis.com/google.rpc.ErrorInfo", "reason": "API_KEY_INVALID"}


@pytest.mark.parametrize(
    ("status", "body", "headers", "kind", "wait"),
    [
        (429, fault("RESOURCE_EXHAUSTED", RETRY_INFO), "", ModelTransientError, 17.5),
        (429, fault("RESOURCE_EXHAUSTED"), "retry-after: 42\r\n", ModelTransientError, 42.0),
        (429, fault("RESOURCE_EXHAUSTED"), "", ModelTransientError, None),
        (429, fault("RESOURCE_EXHAUSTED"), "retry-after: Fri, 20 Nov 2026 10:00:00 GMT\r\n", ModelTransientError, None),
        (503, fault("UNAVAILABLE"), "retry-after: 3\r\n", ModelTransientError, 3.0),
        (500, fault("INTERNAL"), "", ModelTransientError, None),
        (504, b"<html>gateway time-out</html>", "", ModelTransientError, None),
        (302, b"", "location: http://portal.invalid/\r\n", ModelTransientError, None),
        (400, fault("INVALID_ARGUMENT"), "", ModelRefusedError, None),
        (404, fault("NOT_FOUND"), "", ModelRefusedError, None),
        (413, b"too large", "", ModelRefusedError, None),
        (400, fault("INVALID_ARGUMENT", KEY_INFO), "", ModelKeyError, None),
        (401, fault("UNAUTHENTICATED"), "", ModelKeyError, None),
        (403, fault("PERMISSION_DENIED"), "", ModelKeyError, None),
        (403, b"null", "", ModelKeyError, None),
        (500, b"[]", "", ModelTransientError, None),
    ],
)
async def test_errors_by_their_kind(
    status: int, body: Any, headers: str, kind: type[ModelError], wait: float | None
) -> None:
    async with serving() as (server, model):
        server.answer(body, status, headers)
        with pytest.raises(kind) as caught:
            await model.generate(PROMPT)
        assert type(caught.value) is kind
        assert str(status) in str(caught.value)
        assert getattr(caught.value, "retry_after_s", None) == wait
        assert server.connections == 1


@pytest.mark.parametrize("body", [b"", b"<html>hotel</html>", b'{"candidates": [', b'"text"', b"[1]", b"[" * 100_000])
async def test_an_answer_that_is_not_geminis_is_transient(body: bytes) -> None:
    async with serving() as (server, model):
        server.answer(body)
        with pytest.raises(ModelTransientError):
            await model.generate(PROMPT)


async def test_an_answer_that_is_too_long_is_a_failure_in_plain_words() -> None:
    async with serving() as (server, model):
        server.answer(spoken("x" * MOST_BODY_BYTES))
        with pytest.raises(ModelTransientError, match=r"longer than 4 MB"):
            await model.generate(PROMPT)


async def test_a_server_that_hangs_up_is_transient() -> None:
    async with serving() as (server, model):
        server.hang_up = True
        with pytest.raises(ModelTransientError, match="reached"):
            await model.generate(PROMPT)


async def test_a_silent_server_is_given_up_in_time() -> None:
    async with serving(timeout_s=0.1) as (server, model):
        server.silent = True
        with pytest.raises(ModelTransientError, match="in time"):
            await model.generate(PROMPT)


async def test_an_impossible_model_name_is_refused() -> None:
    async with serving() as (server, model):
        with pytest.raises(ModelRefusedError, match=r"no/\.\./such"):
            await model.generate(Prompt("no/../such?x=1", (), PROMPT.turns))
        assert not server.asked.is_set()


@pytest.mark.parametrize("key", ["", "  ", "käy", "two words", "line\nbreak", "auth\x00"])
async def test_what_can_not_be_a_key_is_a_key_error_without_a_call(key: str) -> None:
    async with serving(key=key) as (server, model):
        with pytest.raises(ModelKeyError) as caught:
            await model.generate(PROMPT)
        assert key.strip() == "" or key not in str(caught.value)
        assert not server.asked.is_set()


@pytest.mark.parametrize("status", [400, 403, 404, 429, 500])
async def test_the_key_is_in_no_text_even_if_the_server_repeats_it(
    status: int, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level("DEBUG")
    async with serving() as (server, model):
        server.answer(fault("X", message=f"bad {CANARY} bad"), status)
        with pytest.raises(ModelError) as caught:
            await model.generate(PROMPT)
        told = "".join(traceback.format_exception(caught.value)) + repr(caught.value) + repr(model)
        assert CANARY not in told
        assert CANARY not in caplog.text


async def test_the_key_is_in_no_text_when_the_network_fails() -> None:
    async with serving() as (server, model):
        server.hang_up = True
        with pytest.raises(ModelError) as caught:
            await model.generate(PROMPT)
        assert CANARY not in "".join(traceback.format_exception(caught.value))


async def test_a_prompt_of_500_messages_hardly_holds_up_the_loop() -> None:
    """The largest prompt: a few steps a message, before anything else has its turn."""
    turns = tuple(Turn(Role.USER, (f"⟦Marta 7000005001 {number} 10:00⟧", "some words " * 8)) for number in range(500))
    prompt = Prompt("gemini-2.5-flash", (PromptSection("Role", "Be Nora. " * 500),), turns)
    async with serving() as (server, model):
        server.answer(spoken("ok"))
        await model.generate(PROMPT)
        call = asyncio.get_running_loop().create_task(model.generate(prompt))
        with counted() as count:
            await asyncio.sleep(0)  # all of the preparation happens in the task's first step
        await call
        assert len(server.request_body["contents"]) == 500
        assert count.steps < 20 * len(turns), count.steps
