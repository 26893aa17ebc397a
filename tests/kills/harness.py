"""What a kill test holds in its hands: lives that end, seen from the operator's chair."""

from __future__ import annotations

import asyncio
import itertools
import os
import signal
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager, suppress
from dataclasses import replace
from typing import Any, TypeVar

from chimein_gui.domain.agents import Health
from chimein_gui.domain.approvals import Approval, Approve, Decision, Outcome, Reject, Verdict
from chimein_gui.domain.chats import Chat
from chimein_gui.domain.failpoints import Failpoint
from chimein_gui.domain.tasks import TaskStatus
from chimein_gui.sandbox_api import DuplicateMode
from tests.kills.life import Arming, Life
from tests.kills.processes import Sandbox
from tests.support.control import ControlChannelConsole
from tests.support.line import Line

T = TypeVar("T")

KILLED = -9
PATIENCE_S = 60.0
"""Real seconds until a wait counts as failed."""

MOVING = frozenset({TaskStatus.APPROVED, TaskStatus.SENDING, TaskStatus.UNKNOWN})
"""What is expected to go on by itself."""

SHOWN = 400
"""Characters of an event, for whoever looks for a cause."""

_numbers = itertools.count(1)


class DiedError(Exception):
    """The victim ended before it answered."""


class Run:
    """A living victim, seen from the operator's chair."""

    def __init__(self, life: Life, sandbox: Sandbox, line: Line) -> None:
        self.life = life
        self.events: list[Any] = []
        self.refusal: Exception | None = None
        self.pid = 0
        self.ended = asyncio.Event()
        self._sandbox = sandbox
        self._line = line
        self._changed = asyncio.Event()
        self._answers: dict[int, asyncio.Future[Any]] = {}
        self._is_born = False

    async def hear(self) -> None:
        """Take in what the victim says, until its end."""
        while (heard := await self._line.hear()) is not None:
            match heard:
                case ("event", event):
                    self.events.append(event)
                case ("answer", number, error, value):
                    self._take_answer(number, error, value)
                case ("pid", pid):
                    self.pid = pid
                case ("born",):
                    self._is_born = True
                case ("refused", error):
                    self.refusal = error
            self._changed.set()
        self.ended.set()
        self._changed.set()
        for answer in self._answers.values():
            if not answer.done():
                answer.set_exception(DiedError())

    def _take_answer(self, number: int, error: Exception | None, value: Any) -> None:
        answer = self._answers.pop(number)
        if answer.done():
            return
        if error is None:
            answer.set_result(value)
        else:
            answer.set_exception(error)

    async def call(self, name: str, *arguments: Any, **options: Any) -> Any:
        """Call a method of the engine's.

        Raises:
            DiedError: The victim ended first.
        """
        if self.ended.is_set():
            raise DiedError
        number = next(_numbers)
        answer: asyncio.Future[Any] = asyncio.get_running_loop().create_future()
        self._answers[number] = answer
        answer.add_done_callback(_seen)
        self._line.say(number, name, arguments, options)
        return await answer

    async def until(self, condition: Callable[[], Awaitable[T | None]]) -> T:
        """Wait until a condition holds; it is looked at after everything that the victim says.

        Raises:
            DiedError: The victim ended first.
        """
        try:
            async with asyncio.timeout(PATIENCE_S):
                while True:
                    self._changed.clear()
                    if found := await condition():
                        return found
                    if self.ended.is_set():
                        raise DiedError
                    await self._changed.wait()
        except TimeoutError:
            raise AssertionError(f"it did not come to this: {self.story()}") from None

    async def pause(self, seconds: float) -> None:
        """Return when the victim has something to say, or after a while.

        Raises:
            DiedError: It has ended.
        """
        self._changed.clear()
        with suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                await self._changed.wait()
        if self.ended.is_set():
            raise DiedError

    def story(self) -> str:
        """Return what was heard last, and what was logged, for whoever looks for the cause."""
        logged = self.life.log.read_text(encoding="utf-8") if self.life.log.exists() else ""
        told = [repr(event)[:SHOWN] for event in self.events[-20:]]
        return "\n".join([*told, logged[-4_000:]])

    # --- what an operator does

    async def born(self) -> None:
        """Wait until the engine has started, or has refused to."""

        async def is_so() -> bool:
            return self._is_born or self.refusal is not None

        await self.until(is_so)

    async def online(self) -> None:
        """Wait until all accounts are online."""

        async def is_so() -> bool:
            return {agent.health for agent in (await self.call("directory.load")).rows} == {Health.ONLINE}

        await self.until(is_so)

    async def cards(self, count: int | None = None) -> tuple[Approval, ...]:
        """Return what is not final, oldest first; with a count, once so many wait for a decision."""

        async def found() -> tuple[Approval, ...] | None:
            rows: tuple[Approval, ...] = (await self.call("queries.approvals")).rows
            waiting = [row for row in rows if row.task_status is TaskStatus.AWAITING_DECISION]
            return rows if count is None or len(waiting) == count else None

        return (await found() or ()) if count is None else await self.until(found)

    async def settled(self, count: int = 0) -> tuple[Approval, ...]:
        """Wait until nothing moves any more and so many cards wait for the operator; returns these."""

        async def found() -> list[tuple[Approval, ...]]:
            rows: tuple[Approval, ...] = (await self.call("queries.approvals")).rows
            is_still = not any(row.task_status in MOVING for row in rows) and len(rows) == count
            return [rows] if is_still and not any(chat.planning for chat in await self.chats()) else []

        return (await self.until(found))[0]

    async def answered(self) -> tuple[Approval, ...]:
        """Wait until every message that was said has been planned for, and nothing moves; returns what waits."""

        async def found() -> list[tuple[Approval, ...]]:
            chats = await self.chats()
            rows: tuple[Approval, ...] = (await self.call("queries.approvals")).rows
            is_planned = all(chat.planned_up_to >= chat.newest_in_id and not chat.planning for chat in chats)
            return [rows] if is_planned and not any(row.task_status in MOVING for row in rows) else []

        return (await self.until(found))[0]

    async def heard(self, text: str) -> None:
        """Wait until a chat's newest message says this."""

        async def is_so() -> bool:
            return any(chat.last_text == text for chat in await self.chats())

        await self.until(is_so)

    async def chats(self) -> tuple[Chat, ...]:
        """Return all chats."""
        rows: tuple[Chat, ...] = (await self.call("queries.chats")).rows
        return rows

    async def decide(self, card: Approval, decision: Decision, *, knowingly: bool = False) -> Outcome:
        """Press a button on a card; `knowingly` acknowledges that the conversation changed."""
        outcome: Outcome = await self.call(
            "decisions.decide",
            card.approval_id,
            expected_version=card.version,
            decision=decision,
            seen_up_to=card.changed_at if knowingly else card.seen_up_to,
            client_id=f"press {next(_numbers)}",
        )
        return outcome

    async def approve(self, card: Approval, *, knowingly: bool = False) -> None:
        """Approve a card."""
        outcome = await self.decide(card, Approve(), knowingly=knowingly)
        assert outcome.verdict is Verdict.ACCEPTED, outcome

    async def reject(self, card: Approval) -> None:
        """Reject a card."""
        outcome = await self.decide(card, Reject(), knowingly=True)
        assert outcome.verdict is Verdict.ACCEPTED, outcome

    async def approve_and_die(self, card: Approval, point: Failpoint, nth: int = 1) -> None:
        """Approve a card of which the victim does not live to see the end."""
        await self.call("arm", Arming(point, nth))
        with suppress(DiedError):
            await self.approve(card)
        await self.death()

    async def kill(self) -> None:
        """Kill it from outside."""
        os.kill(self.pid, signal.SIGKILL)
        await self.death()

    async def death(self) -> None:
        """Wait for the end."""
        async with asyncio.timeout(PATIENCE_S):
            await self.ended.wait()


def _seen(answer: asyncio.Future[Any]) -> None:
    """Take note of a failure that nobody waits for any more."""
    if not answer.cancelled():
        answer.exception()


@asynccontextmanager
async def living(sandbox: Sandbox, life: Life) -> AsyncIterator[Run]:
    """Run a victim; at the end it is dead, by its own hand or, if it still lives, closed in order.

    Raises:
        AssertionError: It ended in a way nobody asked for.
    """
    connected: asyncio.Future[Line] = asyncio.get_running_loop().create_future()

    def greet(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        connected.set_result(Line(reader, writer))

    server = await asyncio.start_server(greet, "127.0.0.1", 0)
    life = replace(life, line_port=server.sockets[0].getsockname()[1])
    sandbox.bear(life)
    async with asyncio.timeout(PATIENCE_S):
        line = await connected
    run = Run(life, sandbox, line)
    hearing = asyncio.get_running_loop().create_task(run.hear())
    try:
        await run.born()
        yield run
        if not run.ended.is_set():
            line.say(next(_numbers), "close", (), {})
            await run.death()
    finally:
        await line.aclose()
        code = await _exit_code(sandbox, run)
        await hearing
        server.close()
        await server.wait_closed()
    assert code in {0, KILLED} or run.refusal is not None, f"ended with {code}: {life.log.read_text(encoding='utf-8')}"


async def _exit_code(sandbox: Sandbox, run: Run) -> int:
    """Wait for the end of a victim that has been hung up upon; one that does not end by itself is helped."""
    ending = asyncio.get_running_loop().create_task(asyncio.to_thread(sandbox.exit_code))
    if not (await asyncio.wait({ending}, timeout=PATIENCE_S))[0] and run.pid:
        os.kill(run.pid, signal.SIGKILL)
    return await ending


@asynccontextmanager
async def api_of(sandbox: Sandbox) -> AsyncIterator[ControlChannelConsole]:
    """Connect to the sandbox, as it is without faults."""
    console = await ControlChannelConsole.from_port_file(sandbox.port_file)
    try:
        await console.set_duplicate_mode(DuplicateMode.ERROR)
        yield console
        await console.clear_faults()
    finally:
        await console.aclose()
