"""Logging in: connections that are slow, lost, or led through a proxy."""

import asyncio
import contextlib
from pathlib import Path
from typing import Any

import pytest

from chimein_gui.adapters.telegram.backend import live_backends
from chimein_gui.adapters.telegram.login import connection as login_line
from chimein_gui.adapters.telegram.login.sign_ins import TelethonSignIns
from chimein_gui.domain.accounts.proxies import Proxy
from chimein_gui.domain.accounts.sign_in import SignInTrouble
from chimein_gui.domain.errors import SignInError
from chimein_gui.engine.core.clock import SystemClock
from chimein_gui.sandbox_api import FaultKind, FaultRule
from tests.fakes.proxies import Socks5
from tests.unit.adapters.telegram.logins import (
    HINT,
    KAI,
    KAI_PHONE,
    PASSWORD,
    LoginSetup,
    agent_of,
    attempt,
    fails,
    login_setup,
)
from tests.unit.adapters.telegram.support import NORA, PHONE

T = SignInTrouble


async def test_a_key_exchange_that_gets_no_answer_is_tried_once_more(
    at: LoginSetup, monkeypatch: pytest.MonkeyPatch
) -> None:
    open_once, tries = login_line.LoginLine._open_once, []

    async def counted(line: login_line.LoginLine) -> None:
        tries.append(line)
        if len(tries) == 2:
            at.it.wire.release_answers()
            monkeypatch.setattr(login_line, "_EXCHANGE_S", 20.0)
        await open_once(line)

    monkeypatch.setattr(login_line.LoginLine, "_open_once", counted)
    for _ in range(4):  # of 200 keys one is too short by nature, and a log-in tries twice
        tries.clear()
        monkeypatch.setattr(login_line, "_EXCHANGE_S", 0.2)
        at.it.wire.let_pass(1)
        with contextlib.suppress(SignInError):
            async with attempt(at) as trying:
                await trying.send_code(PHONE)
                break
        assert len(tries) == 2
    else:
        pytest.fail("the second exchange never came to an end")
    assert len(tries) == 2
    assert at.is_clean()


async def test_a_server_that_never_answers_is_given_up(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(login_line, "_EXCHANGE_S", 0.2)
    async with login_setup(tmp_path) as at, attempt(at, is_open=False) as trying:
        at.it.wire.hold_answers()
        async with fails(T.TIME_OUT):
            await trying.connect()
        at.it.wire.release_answers()
        monkeypatch.setattr(login_line, "_EXCHANGE_S", 20.0)
        await trying.connect()


async def test_a_key_that_is_too_short_is_made_anew(at: LoginSetup, monkeypatch: pytest.MonkeyPatch) -> None:
    ring = at.it.world.keys
    adopt, offered = ring.adopt, []

    def refuse_first(key: bytes) -> bool:
        offered.append(key)
        return len(offered) > 1 and adopt(key)

    monkeypatch.setattr(ring, "adopt", refuse_first)
    for _ in range(3):  # of 256 keys one is too short by nature, and a log-in tries twice
        offered.clear()
        with contextlib.suppress(SignInError):
            async with attempt(at) as trying:
                assert len(offered) >= 2
                await trying.send_code(PHONE)
                return
    pytest.fail("the second key was never taken")


async def test_no_network_and_no_answer(at: LoginSetup, monkeypatch: pytest.MonkeyPatch) -> None:
    async with attempt(at) as trying:
        monkeypatch.setattr(login_line, "_ANSWER_S", 0.1)
        at.it.wire.hold_answers()
        async with fails(T.TIME_OUT):
            await trying.send_code(PHONE)
        assert not trying._line.is_up(), "what was not answered must not leave later"
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
    async with login_setup(tmp_path) as at, attempt(at) as trying:
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
    async with login_setup(tmp_path) as at, attempt(at) as trying:
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
    async with login_setup(tmp_path) as at, attempt(at) as trying:
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

    async with way, login_setup(tmp_path, proxy_of) as at:
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
    assert not left_in(tmp_path)


def left_in(directory: Path) -> list[Path]:
    """Return what is there."""
    return list(directory.rglob("*"))
