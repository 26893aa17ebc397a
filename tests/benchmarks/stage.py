"""Set-up of the traffic rows: a sandbox in a separate process, with either a bare echo or the whole engine."""

from __future__ import annotations

import asyncio
import os
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Coroutine, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeVar

from chimein_gui.adapters.gemini.model import GeminiModel
from chimein_gui.adapters.store.store import SqliteStore
from chimein_gui.adapters.telegram.backend import sandbox_backend
from chimein_gui.adapters.telegram.gateway import TelethonGateway
from chimein_gui.adapters.telegram.transport.session import seed_session
from chimein_gui.domain.accounts.proxies import Proxy
from chimein_gui.domain.agents import Agent, AgentSpec, Health
from chimein_gui.domain.approvals import Approve
from chimein_gui.domain.chats import TrustLevel
from chimein_gui.domain.errors import LoggedOutError
from chimein_gui.domain.events import AgentChanged, ApprovalRequested, EngineEvent
from chimein_gui.domain.ids import AgentId
from chimein_gui.domain.settings.preferences import Preferences
from chimein_gui.engine.core.clock import SystemClock
from chimein_gui.engine.core.jobs import JobRunner
from chimein_gui.engine.engine import Engine
from chimein_gui.engine.settings.setup import Setup
from chimein_gui.runtime import interpreter
from tests.benchmarks.backlog import fill
from tests.fakes.frames import FakeFrameRenderer
from tests.support.control import ControlChannelConsole
from tests.support.own_process import own_sandbox

T = TypeVar("T")

ACCOUNTS = 8
AT_ONCE = Preferences(debounce_s=0, undo_s=0, typing_base_s=0, typing_s_per_60=0, chat_cap=0, account_cap=0)


@dataclass(frozen=True, slots=True)
class Sandbox:
    """A running sandbox process, as its port file describes it."""

    description: dict[str, Any]
    port_file: Path
    ports: Mapping[int, int] = field(default_factory=dict)
    """Whose session names another port than the server's; 0: there is no session."""

    proxies: Mapping[int, Proxy] = field(default_factory=dict)
    """Who of the accounts goes through a proxy."""

    def accounts(self) -> list[dict[str, Any]]:
        return list(self.description["accounts"])

    def pairs(self) -> list[tuple[int, int]]:
        """Every (partner, account): one chat each."""
        partners = [partner["user_id"] for partner in self.description["partners"]]
        return [(partner, account["user_id"]) for account in self.accounts() for partner in partners]

    def seed(self, path: Path, account: dict[str, Any]) -> None:
        at, key = self.description, bytes.fromhex(account["auth_key_hex"])
        if port := self.ports.get(account["user_id"], at["telegram_port"]):
            seed_session(path, dc_id=at["dc_id"], host=at["host"], port=port, auth_key=key)


@contextmanager
def sandbox_process(folder: Path, accounts: int = ACCOUNTS, *options: str) -> Iterator[Sandbox]:
    """Run the sandbox as a separate process, so that it shares no GIL with what is measured."""
    with own_sandbox(folder, "--accounts", str(accounts), *options) as own:
        yield Sandbox(own.described, own.port_file)


def run_in_qt(main: Callable[[Any], Coroutine[Any, Any, T]]) -> T:
    """Run `main(app)` in qasync's loop with the executor of the program."""
    from PySide6.QtWidgets import QApplication

    from chimein_gui.runtime.qt_loop import QtLoop

    app = QApplication.instance() or QApplication([])
    app.setQuitOnLastWindowClosed(False)  # type: ignore[attr-defined]

    def new_loop() -> asyncio.AbstractEventLoop:
        loop: asyncio.AbstractEventLoop = QtLoop(app)
        loop.set_default_executor(ThreadPoolExecutor(4))
        return loop

    with asyncio.Runner(loop_factory=new_loop) as runner:
        return runner.run(main(app))


class Echo:
    """The yardstick: bare Telethon clients that answer every message with its own text."""

    def __init__(self) -> None:
        self.answered = asyncio.Queue[tuple[int, int]]()
        self.latencies_s: list[float] = []
        self._clients: list[Any] = []

    async def start(self, sandbox: Sandbox, folder: Path) -> None:
        from telethon import TelegramClient, events

        connection = sandbox_backend().connection
        for index, account in enumerate(sandbox.accounts()):
            path = folder / f"echo-{index}.session"
            sandbox.seed(path, account)
            client = TelegramClient(str(path), 1, "sandbox", connection=connection)
            await client.connect()
            await client.get_dialogs()
            client.add_event_handler(self._answer(account["user_id"]), events.NewMessage(incoming=True))
            self._clients.append(client)

    def _answer(self, account_id: int) -> Callable[[Any], Awaitable[None]]:
        async def answer(event: Any) -> None:
            began = time.perf_counter()
            await event.respond(event.raw_text)
            self.latencies_s.append(time.perf_counter() - began)
            self.answered.put_nowait((event.chat_id, account_id))

        return answer

    async def stop(self) -> None:
        for client in self._clients:
            await client.disconnect()


@asynccontextmanager
async def echoing(sandbox: Sandbox, folder: Path) -> AsyncIterator[Echo]:
    """Run the bare echo."""
    os.makedirs(folder, exist_ok=True)  # noqa: PTH103 - before anything is measured
    echo = Echo()
    await echo.start(sandbox, folder)
    try:
        yield echo
    finally:
        await echo.stop()


@dataclass(slots=True)
class Stage:
    """A running engine connected to the sandbox process."""

    engine: Engine
    jobs: JobRunner
    console: ControlChannelConsole
    model: TimedModel
    events: asyncio.Queue[EngineEvent]
    stop_events: Callable[[], None]
    """Puts no further events into the queue; for rows that do not read it, as a queue of thousands costs time."""


class TimedModel:
    """The real model client, which measures its own time, because that is not the engine's."""

    def __init__(self, model: GeminiModel) -> None:
        self._model = model
        self.request_of, self.read_request = model.request_of, model.read_request
        self.counting_steps, self.count = model.counting_steps, model.count
        self.generate_again = model.generate_again
        self.spent_s: dict[str, float] = {}
        self.slow_word = ""
        self.slow_s = 0.0
        self.slow_began = asyncio.Event()
        self.slow_over = asyncio.Event()
        """A call whose newest message holds the slow word is on its way; it is over."""

    async def generate(self, prompt: Any) -> Any:
        began = time.perf_counter()
        if self.slow_word and self.slow_word in _target(prompt):
            await self._think()
        reply = await self._model.generate(prompt)
        self.spent_s[_target(prompt)] = time.perf_counter() - began
        return reply

    async def _think(self) -> None:
        self.slow_began.set()
        try:
            await asyncio.sleep(self.slow_s)
        finally:
            self.slow_over.set()

    async def aclose(self) -> None:
        await self._model.aclose()


def _target(prompt: Any) -> str:
    """Return the newest text of the prompt, which is unique in this traffic."""
    return str(prompt.turns[-1].parts[-1])


@asynccontextmanager
async def engine_stage(
    sandbox: Sandbox, folder: Path, preferences: Preferences = AT_ONCE, *, backlog: int = 0, online: int | None = None
) -> AsyncIterator[Stage]:
    """Run the whole engine with all accounts (or so many) online, and open plans of an agent that is not running."""
    clock, jobs = SystemClock(), JobRunner()
    store = await SqliteStore.open(folder / "chimein.db", now=clock.now)
    await fill(store, backlog)
    model = TimedModel(GeminiModel("sandbox", base_url=sandbox.description["model_base_url"]))
    specs = tuple(
        AgentSpec(f"Agent {index}", f"+{account['phone'].lstrip('+')}", "Be kind.", (), ())
        for index, account in enumerate(sandbox.accounts())
    )
    by_phone = {f"+{account['phone'].lstrip('+')}": account for account in sandbox.accounts()}

    def gateway(agent: Agent) -> TelethonGateway:
        path = folder / f"{agent.agent_id}.session"
        if not path.exists():  # the program writes a session when an account is logged in, not at every connect
            sandbox.seed(path, by_phone[agent.spec.phone])
        proxy = sandbox.proxies.get(by_phone[agent.spec.phone]["user_id"])
        return TelethonGateway(session_path=path, backend=sandbox_backend(), proxy=proxy)

    engine = Engine(
        Setup(store, gateway, model, clock, jobs, preferences, specs, start_grace_s=0.0, frames=FakeFrameRenderer())
    )
    console = await ControlChannelConsole.from_port_file(sandbox.port_file)
    queue: asyncio.Queue[EngineEvent] = asyncio.Queue()
    stop = engine.subscribe(queue.put_nowait)
    try:
        await engine.start()
        await _all_online(queue, len(specs) if online is None else online)
        interpreter.freeze_heap()
        yield Stage(engine, jobs, console, model, queue, stop)
    finally:
        stop()
        await engine.aclose()
        await jobs.aclose()
        await model.aclose()
        await store.aclose()
        await console.aclose()


def _nobody(_agent: Agent) -> TelethonGateway:
    raise LoggedOutError("There is no session")


@asynccontextmanager
async def offline_engine(store: SqliteStore, specs: tuple[AgentSpec, ...]) -> AsyncIterator[tuple[Engine, JobRunner]]:
    """Start an engine on a store whose accounts are all logged out; the store is closed at the end, too."""
    jobs, model = JobRunner(), GeminiModel("sandbox", base_url="http://127.0.0.1:9")
    engine = Engine(Setup(store, _nobody, model, SystemClock(), jobs, AT_ONCE, specs, frames=FakeFrameRenderer()))
    try:
        await engine.start()
        yield engine, jobs
    finally:
        await engine.aclose()
        await jobs.aclose()
        await model.aclose()
        await store.aclose()


async def _all_online(queue: asyncio.Queue[EngineEvent], count: int) -> None:
    online: set[AgentId] = set()
    while len(online) < count:
        event = await queue.get()
        if isinstance(event, AgentChanged) and event.agent.health is Health.ONLINE:
            online.add(event.agent.agent_id)


async def get_acquainted(stage: Stage, pairs: list[tuple[int, int]], trust: TrustLevel) -> None:
    """Approve the agent's first answer in every chat, which always asks, and set the chat's trust level."""
    await stage.console.speak_many([(partner, account, "hello") for partner, account in pairs])
    waiting = len(pairs)
    while waiting:
        event = await stage.events.get()
        if isinstance(event, ApprovalRequested):
            approval = event.approval
            await stage.engine.chat_settings.set_trust(approval.chat_id, trust)
            await stage.engine.decisions.decide(
                approval.approval_id,
                expected_version=approval.version,
                decision=Approve(),
                seen_up_to=approval.seen_up_to,
                client_id=f"acquaint {approval.approval_id}",
            )
        elif getattr(event, "approval", None) is not None and event.approval.task_status == "done":  # type: ignore[union-attr]
            waiting -= 1
