"""Logging in, step by step, with the real client against the sandbox's real server."""

import asyncio
import logging
import re
from pathlib import Path
from typing import Any

import pytest
from telethon.tl import functions, types

from chimein_gui.adapters.telegram.transport.session import SessionFile
from chimein_gui.domain.accounts.sign_in import CodeForm, CodeWay, SignInTrouble
from chimein_gui.domain.errors import SignInError
from tests.unit.adapters.telegram.logins import HINT, KAI, KAI_PHONE, PASSWORD, LoginSetup, attempt, fails, login_setup
from tests.unit.adapters.telegram.support import NORA, PHONE, Recorder

T = SignInTrouble


@pytest.mark.operation("log-in by code", "the server knows one session more, and the kept file connects with it")
async def test_a_code_logs_in_and_the_session_is_kept(at: LoginSetup) -> None:
    async with attempt(at) as trying:
        sent = await trying.send_code(PHONE)
        assert (sent.way, sent.length, sent.next_way, sent.resend_after_s) == (CodeWay.SMS, 5, CodeWay.CALL, 60)
        known = await trying.enter_code(at.code())
        assert known is not None
        assert (known.account_id, known.name, known.username, known.phone) == (
            NORA,
            "Nora Vale",
            "nora_vale_box",
            PHONE,
        )
        await trying.keep()
    assert at.files() == ["telegram.session"]
    assert at.session.stat().st_mode & 0o777 == 0o600
    assert at.session.parent.stat().st_mode & 0o777 == 0o700
    assert at.logged_in() == 1
    identity = await at.gateway().connect(Recorder())
    assert identity.account_id == NORA


@pytest.mark.parametrize("phrase", [False, True])
async def test_a_code_may_be_a_word_or_a_phrase(tmp_path: Path, phrase: bool) -> None:
    async with login_setup(tmp_path) as at, attempt(at) as trying:
        at.it.server.send_code_in_words(PHONE, phrase=phrase)
        sent = await trying.send_code(PHONE)
        words = at.code()
        assert (sent.way, sent.length, sent.form) == (CodeWay.SMS, 0, CodeForm.PHRASE if phrase else CodeForm.WORD)
        assert sent.detail == (words.split()[0] if phrase else words[0])
        again = await trying.resend_code()
        assert (again.way, again.length, again.form) == (CodeWay.SMS, 5, CodeForm.SIGNS)
        assert at.code().isdecimal()
        await trying.send_code(PHONE)
        async with fails(T.WRONG_CODE):
            await trying.enter_code("brass lamp")
        assert await trying.enter_code(at.code()) is not None


@pytest.mark.operation("log-in with code and password", "the server lists the session only after the password")
async def test_a_password_is_asked_for_with_its_hint(tmp_path: Path) -> None:
    async with login_setup(tmp_path) as at, attempt(at) as trying:
        await trying.send_code(KAI_PHONE)
        assert await trying.enter_code(at.code(KAI_PHONE)) is None
        assert at.logged_in(KAI) == 0
        assert await trying.password_hint() == HINT
        for wrong in ("canary nonsense", ""):
            async with fails(T.WRONG_PASSWORD):
                await trying.enter_password(wrong)
        assert await trying.password_hint() == HINT
        known = await trying.enter_password(PASSWORD)
        assert known.account_id == KAI
        await trying.keep()
        assert at.logged_in(KAI) == 1


@pytest.mark.parametrize(("phone", "user_id"), [(PHONE, NORA), (KAI_PHONE, KAI)])
async def test_a_picture_that_was_scanned_while_it_was_renewed_is_not_lost(
    tmp_path: Path, phone: str, user_id: int
) -> None:
    """The renewal comes just after the scan: Telegram answers it with the log-in itself, or wants the password."""
    async with login_setup(tmp_path) as at, attempt(at) as trying:
        first = await trying.qr_code()
        await at.scan(first.url, phone)
        assert await trying.qr_code() == first
        known = await trying.wait_scanned()
        if user_id == KAI:
            assert known is None
            known = await trying.enter_password(PASSWORD)
        assert known is not None
        assert known.account_id == user_id


async def test_a_picture_expires(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async with login_setup(tmp_path) as at, attempt(at) as trying:
        await trying.qr_code()
        trying._qr._ends = asyncio.get_running_loop().time() + 0.05
        async with fails(T.QR_EXPIRED):
            await trying.wait_scanned()
        again = await trying.qr_code()
        await at.scan(again.url)
        assert await trying.wait_scanned() is not None


@pytest.mark.operation("log-in by QR code of an account in another data centre", "its key is the one that is logged in")
async def test_a_picture_of_an_account_elsewhere_moves_the_session(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """There is one data centre here; the move, with its new key, is a real one all the same."""
    moved: list[bytes] = []

    def export(call: Any, request: Any) -> Any:
        answer = handlers[functions.auth.ExportLoginTokenRequest](call, request) if not moved else None
        if answer is None or isinstance(answer, types.auth.LoginToken):
            return answer
        call.around.sign_in.log_out(call.caller.key_id)
        moved.append(b"elsewhere")
        return types.auth.LoginTokenMigrateTo(2, b"elsewhere")

    def enter(call: Any, request: Any) -> Any:
        from chimein_gui.sandbox.rpc.login.auth import authorization

        assert request.token == b"elsewhere"
        call.around.sign_in.enter(call.caller.key_id, NORA)
        return types.auth.LoginTokenSuccess(authorization(call, NORA))

    from chimein_gui.sandbox.rpc import registry

    handlers = dict(registry._HANDLERS)
    monkeypatch.setitem(registry._HANDLERS, functions.auth.ExportLoginTokenRequest, export)
    monkeypatch.setitem(registry._HANDLERS, functions.auth.ImportLoginTokenRequest, enter)
    async with login_setup(tmp_path) as at, attempt(at) as trying:
        keys = len(at.it.world.keys._records)
        picture = await trying.qr_code()
        await at.scan(picture.url)
        known = await trying.wait_scanned()
        assert known is not None
        assert len(at.it.world.keys._records) > keys
        await trying.keep()
        assert (await at.gateway().connect(Recorder())).account_id == NORA


@pytest.mark.operation("auth.sendCode: PHONE_MIGRATE", "the code is asked for again over a new key")
@pytest.mark.parametrize("word", ["PHONE", "NETWORK", "USER"])
async def test_a_number_elsewhere_is_followed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, word: str) -> None:
    from chimein_gui.sandbox.rpc import registry
    from chimein_gui.sandbox.rpc.refusal import RpcFault

    send, callers = registry._HANDLERS[functions.auth.SendCodeRequest], []

    def once_elsewhere(call: Any, request: Any) -> Any:
        callers.append(call.caller.key_id)
        if len(callers) == 1:
            raise RpcFault(303, f"{word}_MIGRATE_2")
        return send(call, request)

    monkeypatch.setitem(registry._HANDLERS, functions.auth.SendCodeRequest, once_elsewhere)
    async with login_setup(tmp_path) as at, attempt(at) as trying:
        await trying.send_code(PHONE)
        assert len(set(callers)) == 2
        assert await trying.enter_code(at.code()) is not None


async def test_no_secret_is_in_a_log_or_a_repr(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG)
    caplog.set_level(logging.DEBUG, "telethon")  # a program that ran before in this process keeps it quiet
    said: list[str] = []
    async with login_setup(tmp_path) as at:
        async with attempt(at) as trying:
            picture = await trying.qr_code()
            await trying.send_code(KAI_PHONE)
            code = at.code(KAI_PHONE)
            for step in (trying.enter_code("canary code"), trying.enter_password("canary wrong")):
                with pytest.raises(SignInError) as caught:
                    await step
                said.append(repr(caught.value) + str(caught.value))
            await trying.enter_code(code)
            known = await trying.enter_password(PASSWORD)
            await trying.keep()
            said.append(repr(trying) + repr(picture) + repr(at.signs) + repr(at.backend))
        session = SessionFile(str(at.session))
        key = session.auth_key.key
        session.close()
        secrets = [picture.url, picture.url.partition("=")[2], PASSWORD, "canary", KAI_PHONE[1:], key.hex()]
        assert known.account_id == KAI
        await at.signs.log_out(at.agent)
        said.extend(record.getMessage() + repr(record.args) + str(record.exc_info) for record in caplog.records)
        everything = "\n".join(said)
        assert len(caplog.records) > 50
        assert [secret for secret in secrets if secret in everything] == []
        # By itself: any five digits may stand inside a message's id, which has nineteen.
        assert re.search(rf"(?<!\d){code}(?!\d)", everything) is None
