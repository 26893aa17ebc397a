"""Secrets are where they are kept, and nowhere else: the whole program, with everything going wrong."""

from __future__ import annotations

import asyncio
import contextlib
import json
import logging
import os
import signal
import traceback
import zipfile
from contextlib import AsyncExitStack
from dataclasses import replace
from pathlib import Path

import pytest

from chimein_gui import ui_driver as hand
from chimein_gui.app import Backends
from chimein_gui.directories import Directories
from chimein_gui.domain.agents import Agent, AgentSpec, Health
from chimein_gui.domain.errors import ConfigError, NotDrawableError, SecretError, SignInError
from chimein_gui.domain.ids import AgentId
from chimein_gui.domain.messages import FrameKind
from chimein_gui.domain.settings.preferences import Preferences
from chimein_gui.engine.ports import SignIns
from chimein_gui.engine.ports.secrets import API_HASH, API_ID, MODEL_KEY, proxy_name
from chimein_gui.program import SANDBOX, Program, live
from chimein_gui.resource_files import resource_path
from chimein_gui.sandbox_api import FaultKind, FaultRule
from chimein_gui.viewmodels.words.notes import problem_words
from tests.e2e.canaries import Canaries, everything_logged, no_umask, open_to_others
from tests.support.log_guard import ExpectedLogs

pytestmark = pytest.mark.qt_loop

QUICK = Preferences(debounce_s=0.05, undo_s=0, typing_base_s=0, typing_s_per_60=0)

KEY, OTHER_KEY = "AIzaCanaryKeyOfTheModel77", "AIzaSecondCanaryKeyOfIt78"
HASH = "c0ffee77" * 4
PROXY_PASSWORD = "canary-of-the-proxy-79"
CODE, PASSWORD, RIGHT_PASSWORD = "canary-code-80", "canary-of-the-second-factor-81", "three herons"
SECRETS = {
    "model key": KEY,
    "second model key": OTHER_KEY,
    "API hash": HASH,
    "proxy password": PROXY_PASSWORD,
    "code": CODE,
    "wrong password": PASSWORD,
    "password": RIGHT_PASSWORD,
}
REPORT = "crash-20261123T000000Z.txt"

KEPT = ("second model key", "API hash", "proxy password")
"""What is still needed when the program ends."""

SPARE = Agent(AgentId(999), AgentSpec("Spare", "+9996622002", "", (), ()), None, 0)
"""An agent for the account that has a second factor."""


def nora(program: Program) -> Agent:
    agents = program.running.engine._services.accounts.directory.agents()
    return next(agent for agent in agents if agent.spec.name == "Nora Vale")


async def online(program: Program) -> Agent:
    await hand.until("Nora online", lambda: nora(program).health is Health.ONLINE)
    return nora(program)


async def say(program: Program, text: str) -> None:
    console, account = program.running.sandbox, (await online(program)).account_id
    assert console is not None
    assert account is not None
    await console.speak((await console.partners())[0].user_id, account, text)


async def planning(program: Program, problem: str) -> None:
    """Wait until some chat can't be planned because of this; with nothing, until all can."""
    engine, changed = program.running.engine, asyncio.Event()
    stop = engine.subscribe(lambda _event: changed.set())
    try:
        while True:
            problems = "".join([problem_words(chat.planning_problem) for chat in (await engine.queries.chats()).rows])
            if problem in problems if problem else not problems:
                return
            await changed.wait()
            changed.clear()
    finally:
        stop()


async def keys_are_entered(program: Program, canaries: Canaries) -> None:
    keys = program.running.engine.keys
    await keys.put(API_ID, "7654321")
    await keys.put(API_HASH, HASH)
    await keys.put(MODEL_KEY, KEY)
    with pytest.raises(SecretError) as caught:
        await keys.put(API_HASH, HASH + HASH)
    canaries.look("exception", str(caught.value))
    canaries.look("repr", program.running.engine.keys.stored(MODEL_KEY))
    canaries.look("repr", program.running.engine._setup)
    await say(program, "Is the bridge open again?")
    await hand.until("a draft", lambda: hand.button(program.window.pane("approvals"), "Approve"))


async def the_model_repeats_its_key(program: Program, canaries: Canaries) -> None:
    """The service refuses the key, and says it in full."""
    engine, console = program.running.engine, program.running.sandbox
    assert console is not None
    words = f"API key {KEY} was reported as leaked."
    for method in ("generateContent", "listModels"):
        await console.inject(FaultRule(FaultKind.MODEL_ERROR, method=method, code=403, message=words))
    canaries.look("verdict", await engine.key_check.check())
    await say(program, "Are you there?")
    await planning(program, problem="reported as leaked")
    # The stage's own pane repeats the fault as it was ordered, key and all: it is the one who ordered it who sees it.
    program.window.docks["rehearsal"].hide()
    await console.clear_faults()
    canaries.look_at(program.window)
    await console.clear_faults()
    await engine.keys.put(MODEL_KEY, OTHER_KEY)
    await planning(program, problem="")


async def a_proxy_lets_nothing_through(program: Program, canaries: Canaries) -> None:
    engine, agent = program.running.engine, await online(program)
    with pytest.raises(ConfigError) as caught:
        await engine.proxies.set(agent.agent_id, f"socks5://mira:{PROXY_PASSWORD}@127.0.0.1:99999")
    canaries.look("exception", str(caught.value))
    await engine.proxies.set(agent.agent_id, f"socks5://mira:{PROXY_PASSWORD}@127.0.0.1:9")
    await hand.until("the proxy's trouble", lambda: nora(program).next_try_at is not None)
    canaries.look("repr", nora(program))
    canaries.look("repr", engine.proxies.of(agent.agent_id))
    canaries.look_at(program.window)


async def somebody_logs_in(program: Program, canaries: Canaries, signs: SignIns) -> None:
    """A picture nobody scans; a code and a password, each wrong at first; then the session is kept."""
    await program.running.engine._setup.secrets.load([proxy_name(SPARE.agent_id)])
    console, trying = program.running.sandbox, signs.begin(SPARE)
    assert console is not None
    await trying.connect()
    picture = await trying.qr_code()
    canaries.secrets["picture"] = picture.url.partition("=")[2]
    canaries.look("repr", picture)
    canaries.look("repr", await trying.send_code(SPARE.spec.phone))
    with pytest.raises(SignInError) as caught:
        await trying.enter_code(CODE)
    canaries.look("exception", "".join(traceback.format_exception(caught.value)))
    [sent] = [one for one in await console.login_codes() if one.phone == SPARE.spec.phone]
    assert await trying.enter_code(sent.code) is None
    assert await trying.password_hint()
    with pytest.raises(SignInError) as caught:
        await trying.enter_password(PASSWORD)
    canaries.look("exception", "".join(traceback.format_exception(caught.value)))
    canaries.look("repr", trying)
    canaries.look("repr", await trying.enter_password(RIGHT_PASSWORD))
    await trying.keep()
    await trying.close()


async def things_break(program: Program) -> None:
    """A job fails with secrets in its frames, and the process that draws is killed."""
    engine = program.running.engine

    async def fail(key: str = KEY) -> None:
        proxy = engine.proxies.of(nora(program).agent_id)
        raise RuntimeError(f"something nobody foresaw, with {len(key)} characters and {proxy!r}")

    program.running.jobs.spawn(fail(), name="failing on purpose")
    sticker = resource_path("sandbox", "media", "stickers", "lantern-glow.tgs")
    frames = engine.frames
    await frames.render(sticker, FrameKind.TGS, 64)
    pid = frames.pid(FrameKind.TGS)  # type: ignore[attr-defined]
    os.kill(pid, signal.SIGKILL)
    with contextlib.suppress(NotDrawableError):
        await frames.render(sticker, FrameKind.TGS, 96)


def too_much_is_written(logs: Path) -> None:
    """Leave a report of a crash such as nobody writes, with every secret in it, and a log that names everybody."""
    logging.getLogger("chimein_gui.test").info("%s wrote %s to %s", "Marta", "Are you there?", "+9996622002")
    logging.getLogger("somebody.else").info("Marta wrote: Are you there?")
    words = "".join(f"  ValueError: {secret}\n  {secret}\n" for secret in SECRETS.values())
    (logs / REPORT).write_text(f"Chimein: what went wrong.\n\n== now ValueError: went on\n{words}", encoding="utf-8")


def nothing_private_is_given_away(bundle: Path, canaries: Canaries) -> None:
    """Look through a file of diagnostics: everything is in it, and nothing of anybody."""
    unpacked = bundle.with_suffix("")
    with zipfile.ZipFile(bundle) as zipped:
        zipped.extractall(unpacked)
    assert canaries.found_in_files(unpacked) == []
    names = sorted(str(path.relative_to(unpacked)) for path in unpacked.rglob("*") if path.is_file())
    assert {"README.txt", "accounts.json", "counts.json", "settings.json", "versions.json"} < set(names)
    assert {f"crashes/{REPORT}", "logs/chimein.log"} < set(names)
    text = "".join((unpacked / name).read_text(encoding="utf-8") for name in names)
    assert "Marta wrote" in (bundle.parent / "state" / "logs" / "chimein.log").read_text(encoding="utf-8")
    for private in ("Nora", "Marta", "Is the bridge open again?", "Are you there?", "+999", "99966"):
        assert private not in text
    counts = json.loads((unpacked / "counts.json").read_text(encoding="utf-8"))
    assert sum(counts["messages"].values()) > 0
    accounts = json.loads((unpacked / "accounts.json").read_text(encoding="utf-8"))
    versions = json.loads((unpacked / "versions.json").read_text(encoding="utf-8"))
    assert versions["Qt"].startswith("6.")
    assert {one["health"] for one in accounts} > {"online"}
    assert "failed" in (unpacked / "logs" / "chimein.log").read_text(encoding="utf-8")


@pytest.mark.gate_slow
async def test_canaries_are_found_where_they_are_kept_and_nowhere_else(
    tmp_path: Path, expected_logs: ExpectedLogs
) -> None:
    expected_logs(r"ERROR .*failing on purpose")
    canaries, state, made = Canaries(dict(SECRETS)), tmp_path / "state", []  # type: Canaries, Path, list[Backends]
    state.mkdir(mode=0o700)

    async def compose(directories: Directories, stack: AsyncExitStack) -> Backends:
        made.append(await SANDBOX.compose(directories, stack))
        return made[0]

    async def script(program: Program) -> int:
        stop = program.running.engine.subscribe(lambda event: canaries.look("event", event))
        await keys_are_entered(program, canaries)
        await the_model_repeats_its_key(program, canaries)
        await a_proxy_lets_nothing_through(program, canaries)
        assert made[0].sign_ins is not None
        await somebody_logs_in(program, canaries, made[0].sign_ins)
        await things_break(program)
        too_much_is_written(state / "logs")
        await program.running.engine.diagnostics.save(tmp_path / "diagnostics.zip")
        canaries.look_at(program.window)
        assert open_to_others(state, is_secret) == []
        stop()
        return 0

    with no_umask(), everything_logged(state / "logs") as log:
        directories = Directories((resource_path("samples"),), state)
        assert await live(replace(SANDBOX, compose=compose), directories, script, QUICK) == 0
    for line in log.lines:
        canaries.look("log", line)
    assert any("HTTP Request" in line for line in log.lines), "the libraries were quiet"
    assert canaries.found() == []
    (state / "logs" / REPORT).unlink()
    nothing_private_is_given_away(tmp_path / "diagnostics.zip", canaries)
    assert canaries.found_in_files(tmp_path) == sorted(f"{what} in state/secrets.toml" for what in KEPT)
    assert open_to_others(state, is_secret) == []


def is_secret(path: Path) -> bool:
    """Tell whether a file is as secret as a password, or holds what people wrote."""
    return path.name == "secrets.toml" or ".session" in path.name or path.name.startswith("chimein.db")
