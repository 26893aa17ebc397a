"""The product that is killed: the real engine on a real store, before a sandbox in another process."""

from __future__ import annotations

import asyncio
import contextlib
import inspect
import logging
import os
import random
from collections.abc import Callable
from contextlib import AsyncExitStack
from datetime import datetime, timedelta
from functools import partial
from typing import Any, TypeVar

from chimein_gui.adapters.files.memory import MarkdownMemoryFiles
from chimein_gui.adapters.files.outgoing import OutgoingCopies
from chimein_gui.adapters.gemini.model import GeminiModel
from chimein_gui.adapters.store.store import SqliteStore
from chimein_gui.adapters.telegram.backend import sandbox_backend
from chimein_gui.adapters.telegram.gateway import TelethonGateway
from chimein_gui.adapters.telegram.transport.session import seed_session
from chimein_gui.domain.agents import Agent, AgentSpec
from chimein_gui.domain.errors import StoreError, StoreWriteError
from chimein_gui.engine.accounts import accounts
from chimein_gui.engine.core import commits
from chimein_gui.engine.core.clock import SystemClock
from chimein_gui.engine.core.jobs import JobRunner
from chimein_gui.engine.engine import Engine
from chimein_gui.engine.ports import Durability, Transaction
from chimein_gui.engine.settings.setup import Setup
from tests.fakes.frames import FakeFrameRenderer
from tests.kills.life import Arming, Life
from tests.kills.mutations import MEMORY_MUTATIONS, MUTATIONS
from tests.kills.reaper import Reaper, free_files, limit_log
from tests.support.line import Line
from tests.unit.adapters.store.builders import pragma, sql_of

T = TypeVar("T")

RETRY_S = 0.2
"""Between two tries to store what became of a send; the product takes its time."""

QUIET_ROUNDS = 8

ENDLESS = 2**30
"""Pages: more than any disk has."""


class ShiftedClock(SystemClock):
    """The machine's clock, set wrong."""

    def __init__(self, ahead: timedelta) -> None:
        self._ahead = ahead

    def now(self) -> datetime:
        """Return the shifted time."""
        return super().now() + self._ahead


class TalkativeStore:
    """The store, telling what has been committed by the names of the functions that did it."""

    def __init__(self, store: SqliteStore) -> None:
        self.committed: set[str] = set()
        self.news = asyncio.Event()
        self.read = store.read
        self.submit = store.submit
        self.compact = store.compact
        self.aclose = store.aclose
        self._store = store

    async def transact(self, work: Callable[[Transaction], T], *, durability: Durability = Durability.NORMAL) -> T:
        """Run `work` as the store does, and take note."""
        result = await self._store.transact(work, durability=durability)
        function = work.func if isinstance(work, partial) else work
        self.committed.add(function.__name__)
        self.news.set()
        return result


class Victim:
    """Does what the line says."""

    def __init__(self, life: Life, engine: Engine, store: TalkativeStore, reaper: Reaper) -> None:
        self._life = life
        self._engine = engine
        self._store = store
        self._reaper = reaper

    async def do(self, name: str, arguments: tuple[Any, ...], options: dict[str, Any]) -> Any:
        """Call a method of the engine's by its dotted name, or one of ours."""
        method: Callable[..., Any] | None = getattr(self, f"_{name}", None)
        if method is None:
            found: Any = self._engine
            for part in name.split("."):
                found = getattr(found, part)
            method = found
        assert method is not None
        result = method(*arguments, **options)
        return await result if inspect.isawaitable(result) else result

    def _arm(self, arming: Arming | None) -> None:
        self._reaper.arm(arming)

    async def _limit_pages(self, more: int) -> None:
        """Let the database grow by so many pages and no further, like a disk that is full: SQLITE_FULL."""

        def work(tx: Any) -> None:
            sql_of(tx).run(f"PRAGMA max_page_count = {pragma(tx, 'page_count') + more}")

        await self._store.transact(work)

    async def _until_committed(self, name: str) -> None:
        """Wait until work of this name has been committed."""
        while name not in self._store.committed:
            self._store.news.clear()
            await self._store.news.wait()

    async def _work_off(self) -> None:
        """Return once whatever was due is done: nothing else is stored between some questions to the store."""
        quiet, before = 0, -1
        while quiet < QUIET_ROUNDS:
            revision = await self._store.transact(lambda tx: tx.revision)
            await self._store.read(lambda tx: tx.revision)
            quiet = quiet + 1 if revision == before + 1 else 0
            before = revision

    def _limit_log(self, spare: int) -> None:
        limit_log(self._life.database, spare)

    async def _make_room(self) -> None:
        """Give back what either limit took."""
        free_files()
        while True:
            with contextlib.suppress(StoreWriteError):  # what else is committed in one go may still fail
                await self._store.transact(lambda tx: sql_of(tx).run(f"PRAGMA max_page_count = {ENDLESS}").rowcount)
                return


def live(life: Life, description: dict[str, Any], model: GeminiModel) -> int:
    """Live one life; returns the exit code of one that was not killed."""
    life.folder.mkdir(parents=True, exist_ok=True)
    random.seed()
    log = logging.FileHandler(life.log)
    log.setLevel(logging.WARNING)
    logging.basicConfig(handlers=[log], force=True, format="%(levelname)s %(name)s: %(message)s")
    return asyncio.run(_live(life, description, model))


async def _live(life: Life, description: dict[str, Any], model: GeminiModel) -> int:
    line = Line(*await asyncio.open_connection("127.0.0.1", life.line_port))
    line.say("pid", os.getpid())
    reaper = Reaper(description, life.database)
    reaper.arm(life.arming)
    accounts.STAGGER_S = 0.0
    commits.STORE_RETRY_S = RETRY_S
    async with AsyncExitStack() as stack:
        stack.push_async_callback(line.aclose)
        try:
            victim = await _born(life, description, model, reaper, line, stack)
        except StoreError as error:
            line.say("refused", error)
            return 1
        line.say("born")
        await _obey(victim, line)
    return 0


async def _born(
    life: Life, description: dict[str, Any], model: GeminiModel, reaper: Reaper, line: Line, stack: AsyncExitStack
) -> Victim:
    clock, jobs = ShiftedClock(life.ahead), JobRunner()
    if life.full_disk:
        limit_log(life.database, 0)
    if life.mutation:
        (MUTATIONS | MEMORY_MUTATIONS)[life.mutation]()
    store = TalkativeStore(await SqliteStore.open(life.database, now=clock.now))
    stack.push_async_callback(store.aclose)
    stack.push_async_callback(model.aclose)
    stack.push_async_callback(jobs.aclose)
    mine = [account for account in description["accounts"] if account["user_id"] in life.accounts]
    keys = {account["phone"]: bytes.fromhex(account["auth_key_hex"]) for account in mine}
    port, backend = description["telegram_port"], sandbox_backend()

    def gateway(agent: Agent) -> TelethonGateway:
        path = life.folder / f"{agent.agent_id}.session"
        key = keys[agent.spec.phone]
        seed_session(path, dc_id=description["dc_id"], host=description["host"], port=port, auth_key=key)
        return TelethonGateway(session_path=path, backend=backend, reach=reaper)

    specs = tuple(AgentSpec(account["name"], account["phone"], "Be kind.", (), ()) for account in mine)
    engine = Engine(
        Setup(
            store,
            gateway,
            model,
            clock,
            jobs,
            life.preferences,
            specs,
            reach=reaper,
            start_grace_s=0.0,
            frames=FakeFrameRenderer(),
            outgoing_files=OutgoingCopies(life.outgoing),
            memory=MarkdownMemoryFiles(life.folder, reach=reaper),
        )
    )
    stack.push_async_callback(engine.aclose)
    stack.callback(engine.subscribe(lambda event: line.say("event", event)))
    await engine.start()
    return Victim(life, engine, store, reaper)


async def _obey(victim: Victim, line: Line) -> None:
    """Take calls until the line ends; each is answered when it is done, so that one may overtake another."""
    calls: set[asyncio.Task[None]] = set()
    while (heard := await line.hear()) is not None:
        number, name, arguments, options = heard
        if name == "close":
            break
        call = asyncio.get_running_loop().create_task(_answer(victim, line, number, name, arguments, options))
        calls.add(call)
        call.add_done_callback(calls.discard)
    for call in calls:
        call.cancel()


async def _answer(
    victim: Victim, line: Line, number: int, name: str, arguments: tuple[Any, ...], options: dict[str, Any]
) -> None:
    try:
        line.say("answer", number, None, await victim.do(name, arguments, options))
    except Exception as error:  # noqa: BLE001 - the caller's matter
        line.say("answer", number, error, None)
