"""Logging in against the sandbox over restarts and kills; each way and trouble of the dialog has its own tests."""

from __future__ import annotations

import asyncio
import logging
import signal
import sys
from pathlib import Path

import pytest

from chimein_gui.domain.accounts.sign_in import LoginStep
from chimein_gui.domain.agents import Health
from chimein_gui.domain.events import EngineEvent
from tests.e2e.log_ins import GUARDED, NAME, ONE, PASSWORD, PLAIN, LoginEngine, editor

KILL_S = 150.0


async def online_for_good(here: LoginEngine) -> None:
    """The account is connected with what was kept, and nothing else is left."""
    agent = await here.health(Health.ONLINE)
    assert agent.account_id is not None
    assert here.left_over() == []
    assert (here.home / "telegram.session").exists()


# --- the ways in


async def test_a_code_logs_in_tells_how_many_chats_there_are_and_lasts(tmp_path: Path) -> None:
    async with editor(tmp_path) as here:
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
    async with editor(tmp_path) as here:
        await online_for_good(here)


async def test_no_log_and_no_event_tells_a_secret(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG)
    said: list[str] = []

    def note(event: EngineEvent) -> None:
        said.append(repr(event))

    async with editor(tmp_path, GUARDED) as here:
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


# --- ends


@pytest.mark.gate_slow
@pytest.mark.parametrize("step", ["key exchange", "qr", "code", "password", "logged in", "half kept"])
async def test_killed_at_a_step_the_next_start_is_clean(tmp_path: Path, step: str) -> None:
    said = await killed_at(tmp_path, step)
    assert said.startswith("here ['login-"), said
    home = next((tmp_path / "state").glob(f"{NAME}"))
    assert list(home.glob("login-*")), "it was cut off in the middle"
    async with editor(tmp_path, GUARDED) as here:
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
    async with editor(tmp_path, PLAIN) as here:
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
