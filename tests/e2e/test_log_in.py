"""Logging in against the sandbox: the engine, the real client, every branch of the dialog (SPEC §10)."""

from __future__ import annotations

import asyncio
import logging
import signal
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from chimein_gui.domain.agents import Health
from chimein_gui.domain.events import EngineEvent
from chimein_gui.domain.sign_in import CodeWay, LoginStep, SignInTrouble
from chimein_gui.engine.sandbox_port import FaultKind, FaultRule
from tests.e2e.log_ins import GUARDED, HINT, NAME, ONE, PASSWORD, PLAIN, Desk, desk

T = SignInTrouble
STRANGER = "+9996629999"
KILL_S = 150.0


async def online_for_good(here: Desk) -> None:
    """The account is connected with what was kept, and nothing else is left."""
    agent = await here.health(Health.ONLINE)
    assert agent.account_id is not None
    assert here.left_over() == []
    assert (here.home / "telegram.session").exists()


@asynccontextmanager
async def closed_cleanly(here: Desk) -> AsyncIterator[None]:
    """Whatever was done: cancelled, it leaves nothing."""
    yield
    await here.logins.cancel(ONE)
    assert here.state.step is LoginStep.CLOSED
    assert here.left_over() == []
    assert not (here.home / "telegram.session").exists()


# --- the ways in


async def test_a_code_logs_in_tells_how_many_chats_there_are_and_lasts(tmp_path: Path) -> None:
    async with desk(tmp_path) as here:
        await here.health(Health.LOGGED_OUT)
        code = await here.to_code(PLAIN)
        await here.logins.enter_code(ONE, f"{code[:2]} {code[2:]}")
        done = await here.until(lambda state: state.signed_in is not None and state.signed_in.chats)
        assert done.signed_in is not None
        assert (done.step, done.signed_in.username, done.signed_in.phone) == (LoginStep.DONE, "ines_faro_box", PLAIN)
        assert done.signed_in.unread > 0
        await online_for_good(here)
        await here.logins.cancel(ONE)
        assert (await here.agent()).health is Health.ONLINE
    async with desk(tmp_path) as here:
        await online_for_good(here)


async def test_a_picture_logs_in(tmp_path: Path) -> None:
    async with desk(tmp_path) as here:
        await here.logins.begin(ONE)
        await here.sandbox.scan_login(await here.picture(), PLAIN)
        await here.at(LoginStep.DONE)
        await online_for_good(here)


async def test_a_picture_and_a_password_log_in(tmp_path: Path) -> None:
    async with desk(tmp_path, GUARDED) as here:
        await here.logins.begin(ONE)
        await here.sandbox.scan_login(await here.picture(), GUARDED)
        assert (await here.at(LoginStep.PASSWORD)).hint == HINT
        await here.logins.enter_password(ONE, PASSWORD)
        assert here.state.step is LoginStep.DONE
        await online_for_good(here)


async def test_no_log_and_no_event_tells_a_secret(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG)
    said: list[str] = []

    def note(event: EngineEvent) -> None:
        said.append(repr(event))

    async with desk(tmp_path, GUARDED) as here:
        unsubscribe = here.engine.subscribe(note)
        await here.logins.begin(ONE)
        picture = await here.picture()
        await here.sandbox.scan_login(picture, GUARDED)
        await here.at(LoginStep.PASSWORD)
        await here.logins.enter_password(ONE, "four herons")
        await here.logins.enter_password(ONE, PASSWORD)
        await online_for_good(here)
        unsubscribe()
    told = "\n".join((caplog.text, *said))
    assert len(said) > 5
    for secret in (PASSWORD, "four herons", picture.removeprefix("tg://login?token=")):
        assert secret not in told


async def test_logged_out_and_in_again(tmp_path: Path) -> None:
    async with desk(tmp_path) as here:
        await here.logins.enter_code(ONE, "")
        await here.logins.enter_code(ONE, await here.to_code(PLAIN))
        await online_for_good(here)
        await here.logins.log_out(ONE)
        agent = await here.agent()
        assert (agent.health, agent.health_note) == (Health.LOGGED_OUT, "You logged it out.")
        assert not (here.home / "telegram.session").exists()
        await here.logins.enter_code(ONE, await here.to_code(PLAIN))
        assert here.state.words == "", "it is the same account as before"
        await online_for_good(here)


# --- what goes wrong on the way


async def test_a_wrong_code_a_new_one_and_a_wrong_password(tmp_path: Path) -> None:
    async with desk(tmp_path, GUARDED) as here:
        code = await here.to_code(GUARDED)
        wrong = "".join(str((int(digit) + 1) % 10) for digit in code)
        await here.logins.enter_code(ONE, wrong)
        assert (here.state.step, here.state.trouble) == (LoginStep.CODE, T.WRONG_CODE)
        here.allow_resend()
        await here.logins.resend_code(ONE)
        assert here.state.code is not None
        assert (here.state.trouble, here.state.code.way) == (None, CodeWay.CALL)
        await here.logins.enter_code(ONE, await here.newest_code(GUARDED))
        assert (here.state.step, here.state.hint) == (LoginStep.PASSWORD, HINT)
        await here.logins.enter_password(ONE, "four herons")
        assert (here.state.trouble, here.state.hint) == (T.WRONG_PASSWORD, HINT)
        await here.logins.enter_password(ONE, PASSWORD)
        assert here.state.step is LoginStep.DONE
        await online_for_good(here)


async def test_an_expired_code_is_followed_by_a_new_one_at_once(tmp_path: Path) -> None:
    async with desk(tmp_path) as here:
        code = await here.to_code(PLAIN)
        rule = FaultRule(FaultKind.RPC_ERROR, "auth.signIn", message="PHONE_CODE_EXPIRED", times=1)
        await here.sandbox.inject(rule)
        await here.logins.enter_code(ONE, code)
        assert here.state.trouble is T.EXPIRED_CODE
        await here.logins.resend_code(ONE)
        assert here.state.trouble is None
        await here.logins.enter_code(ONE, await here.newest_code(PLAIN))
        assert here.state.step is LoginStep.DONE


@pytest.mark.parametrize(
    ("phone", "rule", "trouble"),
    [
        (STRANGER, None, T.NOT_REGISTERED),
        ("+99966", None, T.BAD_NUMBER),
        (PLAIN, FaultRule(FaultKind.RPC_ERROR, "auth.sendCode", message="PHONE_NUMBER_BANNED", times=1), T.BANNED),
        (PLAIN, FaultRule(FaultKind.RPC_ERROR, "auth.sendCode", message="API_ID_INVALID", times=1), T.BAD_APPLICATION),
        (PLAIN, FaultRule(FaultKind.DROP_BEFORE, "auth.sendCode", times=1), T.NO_NETWORK),
        (PLAIN, FaultRule(FaultKind.RPC_ERROR, "auth.sendCode", code=500, message="INTERNAL", times=1), T.REFUSED),
    ],
)
async def test_a_number_that_leads_nowhere_says_why_and_another_try_works(
    tmp_path: Path, phone: str, rule: FaultRule | None, trouble: SignInTrouble
) -> None:
    async with desk(tmp_path) as here, closed_cleanly(here):
        await here.to_phone()
        if rule is not None:
            await here.sandbox.inject(rule)
        await here.logins.send_code(ONE, phone)
        if here.state.trouble is None:  # the stranger is only found out with the code
            await here.logins.enter_code(ONE, await here.newest_code(phone))
        assert here.state.trouble is trouble, here.state
        assert here.state.words
        if trouble is not T.BAD_APPLICATION:
            await here.logins.send_code(ONE, PLAIN)
            assert here.state.step is LoginStep.CODE


async def test_a_flood_leaves_the_picture_and_ends_by_itself(tmp_path: Path) -> None:
    async with desk(tmp_path) as here:
        await here.to_phone()
        await here.sandbox.inject(FaultRule(FaultKind.FLOOD_WAIT, "auth.sendCode", seconds=3, times=1))
        await here.logins.send_code(ONE, PLAIN)
        assert (here.state.step, here.state.back_to) == (LoginStep.WAIT, LoginStep.PHONE)
        await here.at(LoginStep.PHONE)
        await here.sandbox.inject(FaultRule(FaultKind.FLOOD_WAIT, "auth.sendCode", seconds=900, times=1))
        await here.logins.send_code(ONE, PLAIN)
        assert here.state.step is LoginStep.WAIT
        await here.logins.use_qr(ONE)
        await here.sandbox.scan_login(await here.picture(), PLAIN)
        await here.at(LoginStep.DONE)


async def test_without_a_network_the_picture_is_tried_again(tmp_path: Path) -> None:
    async with desk(tmp_path) as here, closed_cleanly(here):
        fault = await here.sandbox.inject(FaultRule(FaultKind.DROP_BEFORE, "auth.exportLoginToken", times=0))
        await here.logins.begin(ONE)
        state = await here.until(lambda state: state.trouble is not None)
        assert (state.step, state.trouble) == (LoginStep.QR, T.NO_NETWORK)
        await here.sandbox.remove_fault(fault)
        await here.logins.try_again(ONE)
        assert (await here.picture()).startswith("tg://login?token=")


async def test_the_connection_is_lost_in_the_middle_and_the_code_still_works(tmp_path: Path) -> None:
    async with desk(tmp_path) as here:
        code = await here.to_code(PLAIN)
        await here.sandbox.inject(FaultRule(FaultKind.DROP_BEFORE, "auth.signIn", times=1))
        await here.logins.enter_code(ONE, code)
        assert (here.state.step, here.state.trouble) == (LoginStep.CODE, T.NO_NETWORK)
        await here.logins.enter_code(ONE, code)
        assert here.state.step is LoginStep.DONE


# --- ends


@pytest.mark.parametrize("step", ["qr", "phone", "code", "password", "asked"])
async def test_cancelled_at_each_step_it_leaves_nothing(tmp_path: Path, step: str) -> None:
    async with desk(tmp_path, GUARDED) as here:
        await here.health(Health.LOGGED_OUT)
        async with closed_cleanly(here):
            if step == "qr":
                await here.logins.begin(ONE)
                await here.picture()
            elif step == "phone":
                await here.to_phone()
            elif step == "code":
                await here.to_code(GUARDED)
            elif step == "password":
                await here.to_password()
            else:
                code = await here.to_code(GUARDED)
                await here.sandbox.inject(FaultRule(FaultKind.NO_ANSWER, "auth.signIn", times=1))
                entering = here.engine._setup.jobs.spawn(here.logins.enter_code(ONE, code), name="press")
                await here.until(lambda state: state.busy)
        if step == "asked":
            await entering
        assert (await here.agent()).health is Health.LOGGED_OUT


@pytest.mark.gate_slow
@pytest.mark.parametrize("step", ["key exchange", "qr", "code", "password", "logged in", "half kept"])
async def test_killed_at_a_step_the_next_start_is_clean(tmp_path: Path, step: str) -> None:
    said = await killed_at(tmp_path, step)
    assert said.startswith("here ['login-"), said
    home = next((tmp_path / "state").glob(f"{NAME}"))
    assert list(home.glob("login-*")), "it was cut off in the middle"
    async with desk(tmp_path, GUARDED) as here:
        assert here.left_over() == []
        await here.health(Health.LOGGED_OUT)
        async with asyncio.timeout(KILL_S):
            while list(home.glob("orphan-*")):  # noqa: ASYNC110 - nobody tells that Telegram knows
                await asyncio.sleep(0.05)
        await here.to_password()
        await here.logins.enter_password(ONE, PASSWORD)
        await online_for_good(here)


@pytest.mark.gate_slow
async def test_killed_before_the_agents_file_has_its_number_the_account_is_there_all_the_same(tmp_path: Path) -> None:
    said = await killed_at(tmp_path, "kept")
    assert said.strip() == "here []"
    async with desk(tmp_path, PLAIN) as here:
        agent = await here.health(Health.ONLINE)
        assert agent.spec.phone == PLAIN
        await online_for_good(here)


async def killed_at(folder: Path, step: str) -> str:
    """Run the program up to a step, and kill it there; returns what it said last."""
    victim = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "tests.e2e.log_ins", str(folder), step), stdout=asyncio.subprocess.PIPE
    )
    assert victim.stdout is not None
    async with asyncio.timeout(KILL_S):
        said = (await victim.stdout.readline()).decode()
        victim.send_signal(signal.SIGKILL)
        await victim.wait()
    return said
