"""Logging in, step by step, with the real client against the sandbox's real server."""

import asyncio
import gc
import logging
from pathlib import Path
from typing import Any

import pytest
from telethon.tl import functions, types

from chimein_gui.adapters.telegram import login_line
from chimein_gui.adapters.telegram.backend import live_backends
from chimein_gui.adapters.telegram.session import SessionFile
from chimein_gui.adapters.telegram.sign_ins import TelethonSignIns
from chimein_gui.domain.errors import SignInError
from chimein_gui.domain.proxies import Proxy, ProxyKind
from chimein_gui.domain.sign_in import CodeWay, SignInTrouble
from chimein_gui.engine.clock import SystemClock
from chimein_gui.engine.sandbox_port import FaultKind, FaultRule
from chimein_gui.sandbox.timekeeping import wall_clock
from tests.fakes.proxies import Socks5
from tests.unit.adapters.telegram.logins import HINT, KAI, KAI_PHONE, PASSWORD, Door, agent_of, attempt, door, fails
from tests.unit.adapters.telegram.support import NORA, PHONE, Recorder, answer_with, tap

T = SignInTrouble
STRANGER = "+9996629999"


# --- the ways in


@pytest.mark.operation("log-in by code", "the server knows one session more, and the kept file connects with it")
async def test_a_code_logs_in_and_the_session_is_kept(tmp_path: Path) -> None:
    async with door(tmp_path) as at:
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


@pytest.mark.operation("log-in by code, sent again", "the code of the second way logs in")
async def test_a_code_is_sent_again_by_the_next_way(tmp_path: Path) -> None:
    async with door(tmp_path) as at, attempt(at) as trying:
        await trying.send_code(PHONE)
        again = await trying.resend_code()
        assert (again.way, again.next_way) == (CodeWay.CALL, None)
        async with fails(T.REFUSED):
            await trying.resend_code()
        assert await trying.enter_code(at.code()) is not None


@pytest.mark.operation("log-in with code and password", "the server lists the session only after the password")
async def test_a_password_is_asked_for_with_its_hint(tmp_path: Path) -> None:
    async with door(tmp_path) as at, attempt(at) as trying:
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


@pytest.mark.operation("log-in by QR code", "another device scanned it; the kept session connects")
async def test_a_picture_logs_in(tmp_path: Path) -> None:
    async with door(tmp_path) as at:
        async with attempt(at) as trying:
            picture = await trying.qr_code()
            assert picture.url.startswith("tg://login?token=")
            left_s = (picture.expires_at - at.signs._now()).total_seconds()
            assert 25 < left_s <= 31
            await at.scan(picture.url)
            known = await trying.wait_scanned()
            assert known is not None
            assert known.account_id == NORA
            await trying.keep()
        assert (await at.gateway().connect(Recorder())).account_id == NORA


@pytest.mark.operation("log-in by QR code and password", "the server lists the session only after the password")
async def test_a_picture_and_a_password_log_in(tmp_path: Path) -> None:
    async with door(tmp_path) as at, attempt(at) as trying:
        picture = await trying.qr_code()
        await at.scan(picture.url, KAI_PHONE)
        assert await trying.wait_scanned() is None
        assert at.logged_in(KAI) == 0
        assert (await trying.enter_password(PASSWORD)).account_id == KAI


async def test_a_picture_may_be_scanned_before_or_while_somebody_waits(tmp_path: Path) -> None:
    async with door(tmp_path) as at, attempt(at) as trying:
        picture = await trying.qr_code()
        waiting = asyncio.get_running_loop().create_task(trying.wait_scanned())
        await asyncio.sleep(0)
        await at.scan(picture.url)
        known = await waiting
        assert known is not None


async def test_a_new_picture_takes_the_place_of_the_last(tmp_path: Path) -> None:
    async with door(tmp_path) as at, attempt(at) as trying:
        first = await trying.qr_code()
        second = await trying.qr_code()
        assert first.url != second.url
        with pytest.raises(ValueError, match="no longer"):
            await at.scan(first.url)
        await at.scan(second.url)
        assert await trying.wait_scanned() is not None


@pytest.mark.parametrize(("phone", "user_id"), [(PHONE, NORA), (KAI_PHONE, KAI)])
async def test_a_picture_that_was_scanned_while_it_was_renewed_is_not_lost(
    tmp_path: Path, phone: str, user_id: int
) -> None:
    """The renewal comes just after the scan: Telegram answers it with the log-in itself, or wants the password."""
    async with door(tmp_path) as at, attempt(at) as trying:
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
    async with door(tmp_path) as at, attempt(at) as trying:
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
        from chimein_gui.sandbox.rpc.auth import authorization

        assert request.token == b"elsewhere"
        call.around.sign_in.enter(call.caller.key_id, NORA)
        return types.auth.LoginTokenSuccess(authorization(call, NORA))

    from chimein_gui.sandbox.rpc import registry

    handlers = dict(registry._HANDLERS)
    monkeypatch.setitem(registry._HANDLERS, functions.auth.ExportLoginTokenRequest, export)
    monkeypatch.setitem(registry._HANDLERS, functions.auth.ImportLoginTokenRequest, enter)
    async with door(tmp_path) as at, attempt(at) as trying:
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
    from chimein_gui.sandbox.rpc.call import RpcFault

    send, callers = registry._HANDLERS[functions.auth.SendCodeRequest], []

    def once_elsewhere(call: Any, request: Any) -> Any:
        callers.append(call.caller.key_id)
        if len(callers) == 1:
            raise RpcFault(303, f"{word}_MIGRATE_2")
        return send(call, request)

    monkeypatch.setitem(registry._HANDLERS, functions.auth.SendCodeRequest, once_elsewhere)
    async with door(tmp_path) as at, attempt(at) as trying:
        await trying.send_code(PHONE)
        assert len(set(callers)) == 2
        assert await trying.enter_code(at.code()) is not None


# --- troubles


async def test_wrong_and_old_codes(tmp_path: Path) -> None:
    async with door(tmp_path) as at, attempt(at) as trying:
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


async def test_a_code_expires(tmp_path: Path) -> None:
    ahead = [0.0]
    async with door(tmp_path, now=lambda: wall_clock() + ahead[0]) as at, attempt(at) as trying:
        await trying.send_code(PHONE)
        code = at.code()
        ahead[0] = 301
        async with fails(T.EXPIRED_CODE):
            await trying.enter_code(code)
        await trying.send_code(PHONE)
        assert await trying.enter_code(at.code()) is not None


async def test_numbers_that_get_no_further(tmp_path: Path) -> None:
    async with door(tmp_path) as at, attempt(at) as trying:
        async with fails(T.BAD_NUMBER):
            await trying.send_code("12")
        at.it.server.ban_number("+9996620666")
        async with fails(T.BANNED):
            await trying.send_code("+9996620666")
        await trying.send_code(STRANGER)
        async with fails(T.NOT_REGISTERED):
            await trying.enter_code(at.code(STRANGER))
        for _ in range(5):
            await trying.send_code(PHONE)
        async with fails(T.REFUSED):
            await trying.send_code(PHONE)


@pytest.mark.parametrize(
    ("status", "code", "trouble"),
    [
        (400, "API_ID_INVALID", T.BAD_APPLICATION),
        (400, "API_ID_PUBLISHED_FLOOD", T.BAD_APPLICATION),
        (400, "PHONE_NUMBER_UNOCCUPIED", T.NOT_REGISTERED),
        (401, "USER_DEACTIVATED_BAN", T.BANNED),
        (400, "PHONE_NUMBER_BANNED", T.BANNED),
        (400, "PHONE_CODE_HASH_EMPTY", T.EXPIRED_CODE),
        (500, "AUTH_RESTART", T.EXPIRED_CODE),
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
    async with door(tmp_path) as at, attempt(at) as trying:
        async with fails(trouble):
            await trying.send_code(PHONE)
        async with fails(trouble):
            await trying.qr_code()


@pytest.mark.operation("log-in: FLOOD_WAIT", "the seconds are told exactly; the next step is free")
async def test_a_flood_wait_at_each_step(tmp_path: Path) -> None:
    async with door(tmp_path) as at, attempt(at) as trying:

        async def waits(method: str) -> None:
            await at.it.server.console.inject(FaultRule(FaultKind.FLOOD_WAIT, method, seconds=31))

        await waits("auth.sendCode")
        with pytest.raises(SignInError, match="31 s") as caught:
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
    from chimein_gui.sandbox.rpc.call import RpcFault

    check, asked = registry._HANDLERS[functions.auth.CheckPasswordRequest], []

    def first_stale(call: Any, request: Any) -> Any:
        asked.append(request)
        if len(asked) == 1:
            raise RpcFault(400, "SRP_ID_INVALID")
        return check(call, request)

    monkeypatch.setitem(registry._HANDLERS, functions.auth.CheckPasswordRequest, first_stale)
    async with door(tmp_path) as at, attempt(at) as trying:
        await trying.send_code(KAI_PHONE)
        await trying.enter_code(at.code(KAI_PHONE))
        assert (await trying.enter_password(PASSWORD)).account_id == KAI
        asked.clear()
    answer_with(monkeypatch, functions.auth.CheckPasswordRequest, 400, "SRP_ID_INVALID")
    async with door(tmp_path / "again") as at, attempt(at) as trying:
        await trying.send_code(KAI_PHONE)
        await trying.enter_code(at.code(KAI_PHONE))
        async with fails(T.REFUSED):
            await trying.enter_password(PASSWORD)


async def test_an_unknown_kind_of_password_is_refused_in_words(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from chimein_gui.sandbox.rpc import registry

    describe = registry._HANDLERS[functions.account.GetPasswordRequest]

    def unknown(call: Any, request: Any) -> Any:
        answer = describe(call, request)
        answer.current_algo = types.PasswordKdfAlgoUnknown()
        return answer

    monkeypatch.setitem(registry._HANDLERS, functions.account.GetPasswordRequest, unknown)
    async with door(tmp_path) as at, attempt(at) as trying:
        await trying.send_code(KAI_PHONE)
        await trying.enter_code(at.code(KAI_PHONE))
        async with fails(T.REFUSED):
            await trying.enter_password(PASSWORD)


# --- connecting


async def test_a_key_exchange_that_gets_no_answer_is_tried_once_more(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(login_line, "_EXCHANGE_S", 0.3)
    async with door(tmp_path) as at:
        at.it.wire.let_pass(1)
        trying = at.signs.begin(at.agent)
        connecting = asyncio.get_running_loop().create_task(trying.connect())
        await at.it.wire.kept.wait()
        monkeypatch.setattr(login_line, "_EXCHANGE_S", 20.0)
        await asyncio.sleep(0.35)
        at.it.wire.release_answers()
        await connecting
        await trying.close()
        assert at.is_clean()


async def test_a_server_that_never_answers_is_given_up(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(login_line, "_EXCHANGE_S", 0.2)
    async with door(tmp_path) as at, attempt(at, is_open=False) as trying:
        at.it.wire.hold_answers()
        async with fails(T.TIME_OUT):
            await trying.connect()
        at.it.wire.release_answers()
        monkeypatch.setattr(login_line, "_EXCHANGE_S", 20.0)
        await trying.connect()


@pytest.mark.operation("key exchange: DhGenRetry", "the second key is taken")
async def test_a_key_that_is_too_short_is_made_anew(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async with door(tmp_path) as at:
        ring = at.it.world.keys
        adopt, offered = ring.adopt, []

        def refuse_first(key: bytes) -> bool:
            offered.append(key)
            return len(offered) > 1 and adopt(key)

        monkeypatch.setattr(ring, "adopt", refuse_first)
        async with attempt(at) as trying:
            assert len(offered) >= 2
            await trying.send_code(PHONE)


async def test_no_network_and_no_answer(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async with door(tmp_path) as at:
        async with attempt(at) as trying:
            monkeypatch.setattr(login_line, "_ANSWER_S", 0.1)
            at.it.wire.hold_answers()
            async with fails(T.TIME_OUT):
                await trying.send_code(PHONE)
            monkeypatch.setattr(login_line, "_ANSWER_S", 30.0)
            at.it.wire.release_answers()
            await trying.send_code(PHONE)
        await at.it.server.aclose()
        async with attempt(at, is_open=False) as trying:
            async with fails(T.NO_NETWORK):
                await trying.connect()
            async with fails(T.NO_NETWORK):
                await trying.qr_code()
        assert at.files() == []


@pytest.mark.operation("log-in: the connection is lost in the middle", "the code that was sent before logs in after")
async def test_a_lost_connection_is_opened_again_by_the_next_step(tmp_path: Path) -> None:
    async with door(tmp_path) as at, attempt(at) as trying:
        await trying.send_code(KAI_PHONE)
        await at.cut(trying)
        assert await trying.enter_code(at.code(KAI_PHONE)) is None
        await at.cut(trying)
        assert await trying.password_hint() == HINT
        await at.cut(trying)
        assert (await trying.enter_password(PASSWORD)).account_id == KAI


@pytest.mark.operation("log-in: the answer is lost after the code was taken", "the server has one session of it, ours")
@pytest.mark.parametrize("method", ["auth.signIn", "auth.checkPassword"])
async def test_a_lost_answer_is_found_out_about(tmp_path: Path, method: str) -> None:
    phone, user_id = (PHONE, NORA) if method == "auth.signIn" else (KAI_PHONE, KAI)
    async with door(tmp_path) as at, attempt(at) as trying:
        await trying.send_code(phone)
        code = at.code(phone)
        await at.it.server.console.inject(FaultRule(FaultKind.DROP_AFTER, method, times=1))

        async def enter() -> Any:
            known = await trying.enter_code(code) if user_id == NORA or at.logged_in(KAI) == 0 else None
            return known or await trying.enter_password(PASSWORD)

        async with fails(T.NO_NETWORK):
            await enter()
        assert at.logged_in(user_id) == 1
        known = await (trying.enter_code(code) if user_id == NORA else trying.enter_password(PASSWORD))
        assert known is not None
        assert known.account_id == user_id
        assert at.logged_in(user_id) == 1


async def test_waiting_for_a_scan_ends_with_the_connection(tmp_path: Path) -> None:
    async with door(tmp_path) as at, attempt(at) as trying:
        await trying.qr_code()
        waiting = asyncio.get_running_loop().create_task(trying.wait_scanned())
        await asyncio.sleep(0)
        at.it.wire.cut()
        async with fails(T.NO_NETWORK):
            await waiting
        picture = await trying.qr_code()
        await at.scan(picture.url)
        assert await trying.wait_scanned() is not None


async def test_the_attempt_goes_through_the_agents_proxy(tmp_path: Path) -> None:
    way = Socks5(("me", "canary-pass"))
    wrong = [False]

    def proxy_of(_agent_id: object) -> Proxy:
        password = "canary-wrong" if wrong[0] else "canary-pass"
        return way.proxy(username="me", password=password)

    async with way, door(tmp_path, proxy_of) as at:
        async with attempt(at) as trying:
            await trying.send_code(PHONE)
            assert await trying.enter_code(at.code()) is not None
            await trying.keep()
        assert way.passed
        passed = len(way.passed)
        wrong[0] = True
        async with attempt(at, is_open=False) as trying, fails(T.PROXY):
            await trying.connect()
        assert len(way.passed) == passed
        wrong[0] = False
        assert await at.signs.log_out(at.agent)
        assert len(way.passed) == passed + 1


async def test_a_proxy_that_is_not_there(tmp_path: Path) -> None:
    async with (
        door(tmp_path, lambda _agent_id: Proxy(ProxyKind.HTTP, "127.0.0.1", 9)) as at,
        attempt(at, is_open=False) as trying,
        fails(T.PROXY),
    ):
        await trying.connect()


async def test_without_an_application_no_attempt_begins(tmp_path: Path) -> None:
    known: list[tuple[int, str]] = []
    backends = live_backends(lambda: known[-1] if known else None)
    signs = TelethonSignIns(
        backends, state=tmp_path, session_of=tmp_path.joinpath, proxy_of=lambda _: None, now=SystemClock().now
    )
    assert not signs.has_application()
    async with fails(T.BAD_APPLICATION):
        signs.begin(agent_of("nora"))
    known.append((77, "0" * 32))
    assert signs.has_application()
    first = backends()
    known.append((78, "1" * 32))
    second = backends()
    assert first is not None
    assert second is not None
    assert (first.api_id, second.api_id, first.stickers) == (77, 78, second.stickers)
    await signs.begin(agent_of("nora")).close()
    assert not at_all(tmp_path)


def at_all(directory: Path) -> list[Path]:
    """Return what is there."""
    return list(directory.rglob("*"))


# --- the end


@pytest.mark.operation("log-in cancelled at each step", "the server has no session of it")
@pytest.mark.parametrize("steps", range(7))
@pytest.mark.parametrize("is_lost", [False, True])
async def test_a_cancel_leaves_nothing_behind(tmp_path: Path, steps: int, is_lost: bool) -> None:
    async with door(tmp_path) as at:
        trying = at.signs.begin(at.agent)
        ways = (
            trying.connect,
            lambda: trying.send_code(KAI_PHONE),
            trying.resend_code,
            lambda: trying.enter_code(at.code(KAI_PHONE)),
            trying.password_hint,
            lambda: trying.enter_password(PASSWORD),
        )
        for step in ways[:steps]:
            await step()
        assert at.logged_in(KAI) == (steps == 6)
        if is_lost:
            at.it.wire.cut()
        await trying.close()
        await trying.close()
        assert at.is_clean()


@pytest.mark.operation("QR log-in cancelled at each step", "the server has no session of it")
@pytest.mark.parametrize("steps", range(4))
async def test_a_cancelled_picture_leaves_nothing_behind(tmp_path: Path, steps: int) -> None:
    async with door(tmp_path) as at:
        async with attempt(at) as trying:
            if steps > 0:
                picture = await trying.qr_code()
            if steps > 1:
                await at.scan(picture.url)
            if steps > 2:
                await trying.wait_scanned()
                assert at.logged_in() == 1
        assert at.is_clean()


@pytest.mark.parametrize("answers", range(1, 8))
async def test_a_step_that_is_cancelled_in_the_middle_leaves_nothing_behind(tmp_path: Path, answers: int) -> None:
    """Cut off at each answer of the server, from the first of the key exchange to that of the log-in."""
    async with door(tmp_path) as at:
        trying = at.signs.begin(at.agent)

        async def log_in() -> None:
            await trying.connect()
            await trying.send_code(PHONE)
            await trying.enter_code(at.code())

        at.it.wire.let_pass(answers)
        running = asyncio.get_running_loop().create_task(log_in())
        kept = asyncio.get_running_loop().create_task(at.it.wire.kept.wait())
        await asyncio.wait({running, kept}, return_when=asyncio.FIRST_COMPLETED)
        running.cancel()
        kept.cancel()
        await asyncio.gather(running, kept, return_exceptions=True)
        at.it.wire.release_answers()
        await trying.close()
        assert at.is_clean()
        gc.collect()


async def test_closing_without_a_network_leaves_no_file(tmp_path: Path) -> None:
    async with door(tmp_path) as at:
        async with attempt(at) as trying:
            await trying.send_code(PHONE)
            await trying.enter_code(at.code())
            await at.it.server.aclose()
        assert at.files() == []


# --- keeping


async def log_in_and_keep(at: Door) -> None:
    async with attempt(at) as trying:
        await trying.send_code(PHONE)
        await trying.enter_code(at.code())
        await trying.keep()


@pytest.mark.operation("log-in over an existing session", "the kept session connects; the former's peers are gone")
async def test_a_kept_session_takes_the_place_of_the_former(tmp_path: Path) -> None:
    async with door(tmp_path) as at:
        await log_in_and_keep(at)
        gateway = at.gateway()
        await gateway.connect(Recorder())
        await gateway.dialogs()
        await gateway.disconnect()
        former = SessionFile(str(at.session))
        key = former.auth_key.key
        former._execute("update update_state set pts = 7777")
        former.save()
        crashed = SessionFile(str(at.session))  # two readers keep the -wal alive, as a crash does
        wal = at.session.with_name("telegram.session-wal")
        left = wal.read_bytes()
        assert left
        former.close()
        crashed.close()
        wal.write_bytes(left)
        await log_in_and_keep(at)
        assert at.files() == ["telegram.session"]
        kept = SessionFile(str(at.session))
        assert kept.auth_key.key != key
        assert kept._execute("select count(*) from update_state where pts > 0") == (0,)
        kept.close()
        assert at.session.stat().st_mode & 0o777 == 0o600
        await at.gateway().connect(Recorder())


async def test_a_damaged_former_session_is_replaced(tmp_path: Path) -> None:
    async with door(tmp_path) as at:
        at.session.parent.mkdir(parents=True, mode=0o700)
        at.session.write_bytes(b"no database" * 500)
        at.session.with_name("telegram.session-wal").write_bytes(b"rubbish")
        await log_in_and_keep(at)
        assert at.files() == ["telegram.session"]
        await at.gateway().connect(Recorder())


async def test_until_it_is_kept_the_former_session_is_untouched(tmp_path: Path) -> None:
    async with door(tmp_path) as at:
        await log_in_and_keep(at)
        before = at.session.read_bytes()
        async with attempt(at) as trying:
            await trying.send_code(PHONE)
            await trying.enter_code(at.code())
            assert at.session.read_bytes() == before
        assert at.session.read_bytes() == before
        assert at.logged_in() == 1
        await at.gateway().connect(Recorder())


async def test_a_session_that_can_not_be_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, expected_logs: Any
) -> None:
    expected_logs("WARNING chimein_gui.adapters.telegram.sign_in: A session could not be kept: OSError")
    async with door(tmp_path) as at:
        async with attempt(at) as trying:
            async with fails(T.REFUSED):
                await trying.keep()
            await trying.send_code(PHONE)
            await trying.enter_code(at.code())

            def full(*_paths: object) -> None:
                raise OSError(28, "No space left on device")

            with monkeypatch.context() as disk:
                disk.setattr(Path, "replace", full)
                async with fails(T.DISK):
                    await trying.keep()
        assert at.is_clean()


async def test_a_directory_that_can_not_be_written(tmp_path: Path) -> None:
    async with door(tmp_path) as at, attempt(at, is_open=False) as trying:
        at.state.mkdir()
        at.session.parent.write_text("in the way")
        async with fails(T.DISK):
            await trying.connect()
        at.session.parent.unlink()


async def test_keeping_is_done_though_it_is_cancelled(tmp_path: Path) -> None:
    async with door(tmp_path) as at:
        async with attempt(at) as trying:
            await trying.send_code(PHONE)
            await trying.enter_code(at.code())
            await trying._line.hang_up()
            keeping = asyncio.get_running_loop().create_task(trying.keep())
            await asyncio.sleep(0)
            keeping.cancel()
            await asyncio.wait([keeping])
            assert keeping.cancelled()
        assert at.files() == ["telegram.session"]
        assert at.logged_in() == 1


@pytest.mark.operation("log-in cut off by a kill", "the next start finds no file of it")
async def test_a_sweep_removes_what_a_kill_left(tmp_path: Path) -> None:
    async with door(tmp_path) as at:
        await log_in_and_keep(at)
        for left in ("login-0a.session", "login-0a.session-wal", "login-0a.session-shm", "login-0a.session-journal"):
            at.session.with_name(left).write_bytes(b"left")
        at.session.with_name("notes.md").write_text("mine")
        at.signs.sweep()
        assert at.files() == ["notes.md", "telegram.session"]
        TelethonSignIns(
            lambda: None,
            state=tmp_path / "nowhere",
            session_of=tmp_path.joinpath,
            proxy_of=lambda _: None,
            now=SystemClock().now,
        ).sweep()


# --- logging out


@pytest.mark.operation("auth.logOut", "the server has no session of the account any more")
async def test_logging_out(tmp_path: Path) -> None:
    async with door(tmp_path) as at:
        assert await at.signs.log_out(at.agent)
        await log_in_and_keep(at)
        assert await at.signs.log_out(at.agent)
        assert at.is_clean()
        assert await at.signs.log_out(at.agent)


@pytest.mark.parametrize("why", ["no network", "damaged", "revoked", "no application"])
async def test_logging_out_removes_the_session_in_any_case(tmp_path: Path, why: str) -> None:
    async with door(tmp_path) as at:
        await log_in_and_keep(at)
        signs = at.signs
        if why == "no network":
            await at.it.server.aclose()
        elif why == "damaged":
            at.session.write_bytes(b"rubbish" * 100)
        elif why == "revoked":
            await at.it.server.console.inject(FaultRule(FaultKind.REVOKE, account_id=NORA))
        else:
            signs._backend = lambda: None
        assert await signs.log_out(at.agent) == (why == "revoked")
        assert at.files() == []


# --- secrets


async def test_no_secret_is_in_a_log_or_a_repr(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG)
    said: list[str] = []
    async with door(tmp_path) as at:
        async with attempt(at) as trying:
            picture = await trying.qr_code()
            await trying.send_code(KAI_PHONE)
            code = at.code(KAI_PHONE)
            wrong = f"{(int(code) + 1) % 100_000:05}"
            for step in (trying.enter_code(wrong), trying.enter_password("canary wrong")):
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
        secrets = [
            picture.url,
            picture.url.partition("=")[2],
            code,
            wrong,
            PASSWORD,
            "canary",
            KAI_PHONE[1:],
            key.hex(),
        ]
        assert known.account_id == KAI
        await at.signs.log_out(at.agent)
        said.extend(record.getMessage() + repr(record.args) + str(record.exc_info) for record in caplog.records)
        everything = "\n".join(said)
        assert len(caplog.records) > 50
        assert [secret for secret in secrets if secret in everything] == []


async def test_requests_that_are_tapped_hold_what_was_entered(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What the canaries rely on: what was entered does leave."""
    entered = tap(monkeypatch, functions.auth.SignInRequest)
    async with door(tmp_path) as at, attempt(at) as trying:
        await trying.send_code(PHONE)
        await trying.enter_code(at.code())
        assert entered[0].phone_number == PHONE
        assert entered[0].phone_code
