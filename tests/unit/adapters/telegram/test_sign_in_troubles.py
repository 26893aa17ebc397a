"""Logging in: what Telegram refuses, in our words."""

from pathlib import Path
from typing import Any

import pytest
from telethon.tl import functions

from chimein_gui.domain.accounts.sign_in import CodeWay, SignInTrouble
from chimein_gui.domain.errors import SignInError
from chimein_gui.sandbox_api import FaultKind, FaultRule
from tests.unit.adapters.telegram.logins import KAI, KAI_PHONE, PASSWORD, attempt, fails, login_setup
from tests.unit.adapters.telegram.support import PHONE, answer_with

T = SignInTrouble


async def test_wrong_and_old_codes(tmp_path: Path) -> None:
    async with login_setup(tmp_path) as at, attempt(at) as trying:
        async with fails(T.EXPIRED_CODE):
            await trying.enter_code("12345")
        async with fails(T.EXPIRED_CODE):
            await trying.resend_code()
        await trying.send_code(PHONE)
        right = at.code()
        async with fails(T.WRONG_CODE):
            await trying.enter_code("")
        for _ in range(3):
            async with fails(T.WRONG_CODE):
                await trying.enter_code(f"{(int(right) + 1) % 100_000:05}")
        async with fails(T.EXPIRED_CODE):
            await trying.enter_code(right)
        await trying.send_code(PHONE)
        assert await trying.enter_code(at.code()) is not None


@pytest.mark.parametrize(
    ("status", "code", "trouble"),
    [
        (400, "API_ID_INVALID", T.BAD_APPLICATION),
        (400, "API_ID_PUBLISHED_FLOOD", T.BAD_APPLICATION),
        (400, "PHONE_NUMBER_UNOCCUPIED", T.NOT_REGISTERED),
        (401, "USER_DEACTIVATED_BAN", T.BANNED),
        (400, "PHONE_NUMBER_BANNED", T.BANNED),
        (400, "PHONE_CODE_HASH_EMPTY", T.EXPIRED_CODE),
        (500, "AUTH_RESTART", T.REFUSED),
        (400, "PHONE_CODE_EMPTY", T.WRONG_CODE),
        (400, "AUTH_TOKEN_EXPIRED", T.QR_EXPIRED),
        (400, "PHONE_NUMBER_FLOOD", T.REFUSED),
        (406, "PHONE_PASSWORD_FLOOD", T.REFUSED),
        (406, "SEND_CODE_UNAVAILABLE", T.REFUSED),
        (406, "UPDATE_APP_TO_LOGIN", T.REFUSED),
        (401, "AUTH_KEY_UNREGISTERED", T.REFUSED),
        (500, "RPC_CALL_FAIL", T.REFUSED),
        (400, "SOMETHING_NEW", T.REFUSED),
        (420, "FLOOD_WAIT_73", T.WAIT),
    ],
)
async def test_what_telegram_refuses(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, status: int, code: str, trouble: SignInTrouble
) -> None:
    answer_with(monkeypatch, functions.auth.SendCodeRequest, status, code)
    answer_with(monkeypatch, functions.auth.ExportLoginTokenRequest, status, code)
    async with login_setup(tmp_path) as at, attempt(at) as trying:
        async with fails(trouble):
            await trying.send_code(PHONE)
        async with fails(trouble):
            await trying.qr_code()


@pytest.mark.parametrize("times", [1, 2])
async def test_a_log_in_that_is_to_begin_anew_is_asked_for_once_more(tmp_path: Path, times: int) -> None:
    async with login_setup(tmp_path) as at, attempt(at) as trying:
        restart = FaultRule(FaultKind.RPC_ERROR, "auth.sendCode", code=500, message="AUTH_RESTART", times=times)
        await at.it.server.console.inject(restart)
        if times == 1:
            assert (await trying.send_code(PHONE)).way is CodeWay.SMS
            return
        with pytest.raises(SignInError, match="begin anew"):
            await trying.send_code(PHONE)


@pytest.mark.operation("log-in: FLOOD_WAIT", "the seconds are told exactly; the next step is free")
async def test_a_flood_wait_at_each_step(tmp_path: Path) -> None:
    async with login_setup(tmp_path) as at, attempt(at) as trying:

        async def waits(method: str) -> None:
            await at.it.server.console.inject(FaultRule(FaultKind.FLOOD_WAIT, method, seconds=31))

        await waits("auth.sendCode")
        with pytest.raises(SignInError, match="wait 31") as caught:
            await trying.send_code(KAI_PHONE)
        assert (caught.value.trouble, caught.value.retry_after_s) == (T.WAIT, 31)
        await at.it.server.console.clear_faults()
        await trying.send_code(KAI_PHONE)
        for method in ("auth.resendCode", "auth.signIn", "auth.exportLoginToken"):
            await waits(method)
        for step in (trying.resend_code(), trying.enter_code("12345"), trying.qr_code()):
            async with fails(T.WAIT):
                await step
        await at.it.server.console.clear_faults()
        assert await trying.enter_code(at.code(KAI_PHONE)) is None
        await waits("auth.checkPassword")
        async with fails(T.WAIT):
            await trying.enter_password(PASSWORD)
        await at.it.server.console.clear_faults()
        assert (await trying.enter_password(PASSWORD)).account_id == KAI


async def test_a_stale_question_for_the_password_is_asked_anew_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from chimein_gui.sandbox.rpc import registry
    from chimein_gui.sandbox.rpc.refusal import RpcFault

    check, asked = registry._HANDLERS[functions.auth.CheckPasswordRequest], []

    def first_stale(call: Any, request: Any) -> Any:
        asked.append(request)
        if len(asked) == 1:
            raise RpcFault(400, "SRP_ID_INVALID")
        return check(call, request)

    monkeypatch.setitem(registry._HANDLERS, functions.auth.CheckPasswordRequest, first_stale)
    async with login_setup(tmp_path) as at, attempt(at) as trying:
        await trying.send_code(KAI_PHONE)
        await trying.enter_code(at.code(KAI_PHONE))
        assert (await trying.enter_password(PASSWORD)).account_id == KAI
