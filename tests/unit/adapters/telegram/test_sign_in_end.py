"""Logging in: cancelled, kept, cut off; and logging out."""

import asyncio
import gc
from pathlib import Path
from typing import Any

import pytest

from chimein_gui.adapters.telegram.login import sign_ins
from chimein_gui.adapters.telegram.login.sign_ins import TelethonSignIns
from chimein_gui.adapters.telegram.transport.session import SessionFile
from chimein_gui.domain.accounts.sign_in import SignInTrouble
from chimein_gui.engine.core.clock import SystemClock
from chimein_gui.sandbox_api import FaultKind, FaultRule
from tests.unit.adapters.telegram.logins import (
    KAI,
    KAI_PHONE,
    PASSWORD,
    LoginSetup,
    attempt,
    fails,
    log_in_and_keep,
    login_setup,
)
from tests.unit.adapters.telegram.support import NORA, PHONE, Recorder

T = SignInTrouble


@pytest.mark.operation("log-in cancelled at each step", "the server has no session of it")
@pytest.mark.parametrize("steps", range(7))
@pytest.mark.parametrize("is_lost", [False, True])
async def test_a_cancel_leaves_nothing_behind(at: LoginSetup, steps: int, is_lost: bool) -> None:
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
async def test_a_cancelled_picture_leaves_nothing_behind(at: LoginSetup, steps: int) -> None:
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
async def test_a_step_that_is_cancelled_in_the_middle_leaves_nothing_behind(at: LoginSetup, answers: int) -> None:
    """Cut off at each answer of the server, from the first of the key exchange to that of the log-in."""
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


async def test_closing_without_a_network_leaves_no_file(at: LoginSetup) -> None:
    async with attempt(at) as trying:
        await trying.send_code(PHONE)
        await trying.enter_code(at.code())
        await at.it.server.aclose()
    assert at.files() == []


@pytest.mark.operation("log-in over an existing session", "the kept session connects; the former's peers are gone")
async def test_a_kept_session_takes_the_place_of_the_former(at: LoginSetup) -> None:
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


async def test_a_damaged_former_session_is_replaced(at: LoginSetup) -> None:
    at.session.parent.mkdir(parents=True, mode=0o700)
    at.session.write_bytes(b"no database" * 500)
    at.session.with_name("telegram.session-wal").write_bytes(b"rubbish")
    await log_in_and_keep(at)
    assert at.files() == ["telegram.session"]
    await at.gateway().connect(Recorder())


async def test_until_it_is_kept_the_former_session_is_untouched(at: LoginSetup) -> None:
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
    at: LoginSetup, monkeypatch: pytest.MonkeyPatch, expected_logs: Any
) -> None:
    expected_logs("WARNING chimein_gui.adapters.telegram.login.sign_in: A session could not be kept: OSError")
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
    async with login_setup(tmp_path) as at, attempt(at, is_open=False) as trying:
        at.state.mkdir()
        at.session.parent.write_text("in the way")
        async with fails(T.NO_PLACE):
            await trying.connect()
        at.session.parent.unlink()


async def test_keeping_is_done_though_it_is_cancelled(at: LoginSetup) -> None:
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
async def test_a_sweep_removes_what_a_kill_left(tmp_path: Path, at: LoginSetup) -> None:
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


@pytest.mark.operation("log-in cut off behind the code", "the next start logs the session out that nobody has")
async def test_a_session_that_a_kill_left_logged_in_is_logged_out(
    at: LoginSetup, monkeypatch: pytest.MonkeyPatch
) -> None:
    await log_in_and_keep(at)
    trying = at.signs.begin(at.agent)
    await trying.connect()
    await trying.send_code(PHONE)
    await trying.enter_code(at.code())
    await trying._line.hang_up()  # a kill, as far as files and server can tell
    assert at.logged_in() == 2
    at.signs.sweep()
    at.signs.sweep()
    [orphan] = [name for name in at.files() if name != "telegram.session"]
    assert orphan.startswith("orphan-")
    with monkeypatch.context() as patch:
        patch.setattr(sign_ins, "_GOODBYE_S", 0.0)
        await at.signs.end_orphans(at.agent)
    assert at.files() == [orphan, "telegram.session"], "Telegram could not be told: the next start tries again"
    await at.signs.end_orphans(at.agent)
    assert (at.files(), at.logged_in()) == (["telegram.session"], 1)
    await at.gateway().connect(Recorder())


@pytest.mark.operation("auth.logOut", "the server has no session of the account any more")
async def test_logging_out(at: LoginSetup) -> None:
    assert await at.signs.log_out(at.agent)
    await log_in_and_keep(at)
    assert await at.signs.log_out(at.agent)
    assert at.is_clean()
    assert await at.signs.log_out(at.agent)


async def test_logging_out_finds_a_sandbox_that_is_at_another_port_by_now(at: LoginSetup) -> None:
    await log_in_and_keep(at)
    session = SessionFile(str(at.session))
    session.set_dc(2, "127.0.0.1", 9)
    session.save()
    session.close()
    assert await at.signs.log_out(at.agent), "Telegram was told"
    assert at.is_clean()


@pytest.mark.parametrize("kind", [FaultKind.DROP_BEFORE, FaultKind.DROP_AFTER])
async def test_a_log_out_whose_connection_breaks_is_told_once_more(at: LoginSetup, kind: FaultKind) -> None:
    """It was said that Telegram could not be told, of a session that had ended."""
    await log_in_and_keep(at)
    await at.it.server.console.inject(FaultRule(kind, "auth.logOut", times=1))
    assert await at.signs.log_out(at.agent)
    assert at.is_clean()


@pytest.mark.parametrize("why", ["no network", "always cut", "fixed", "damaged", "revoked", "no application"])
async def test_logging_out_removes_the_session_in_any_case(at: LoginSetup, why: str) -> None:
    await log_in_and_keep(at)
    signs = at.signs
    if why == "no network":
        await at.it.server.aclose()
    elif why == "always cut":
        await at.it.server.console.inject(FaultRule(FaultKind.DROP_BEFORE, "auth.logOut", times=0))
    elif why == "fixed":
        session = SessionFile(str(at.session))
        session.set_dc(2, "127.0.0.1", 9)
        session._execute("create trigger fixed before delete on sessions begin select raise(abort, 'fixed'); end")
        session.close()
    elif why == "damaged":
        at.session.write_bytes(b"rubbish" * 100)
    elif why == "revoked":
        await at.it.server.console.inject(FaultRule(FaultKind.REVOKE, account_id=NORA))
    else:
        signs._backend = lambda: None
    assert await signs.log_out(at.agent) == (why == "revoked")
    assert at.files() == []
