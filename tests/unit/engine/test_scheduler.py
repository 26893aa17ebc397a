"""The scheduler: a due heap, woken at once, one step a chat."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import datetime, timedelta

import pytest

from chimein_gui.domain.ids import AgentId, ChatId, TaskId
from chimein_gui.engine.core.jobs import JobRunner
from chimein_gui.engine.scheduling.scheduler import TICK_S, Again, Scheduler
from chimein_gui.engine.tasks.next_action import Plan
from tests.fakes.clock import START, VirtualClock
from tests.support.async_tests import OpenedInLoop

A, B = ChatId(1), ChatId(2)


class NotingClock(VirtualClock):
    """Notes how long it was asked to wait at most."""

    def __init__(self) -> None:
        super().__init__()
        self.timeouts: list[float] = []

    def timeout(self, seconds: float) -> asyncio.Timeout:
        self.timeouts.append(seconds)
        return super().timeout(seconds)


class Steps:
    """Notes which chats were stepped, and when; a step waits for its gate where there is one."""

    def __init__(self) -> None:
        self.clock = NotingClock()
        self.jobs = JobRunner()
        self.taken: list[tuple[ChatId, float]] = []
        self.gates: dict[ChatId, asyncio.Event] = {}
        self.again: dict[ChatId, Again] = {}
        self.seen: list[tuple[ChatId, Plan | None]] = []
        self.queued: list[tuple[ChatId, Plan]] = []
        self.must_queue = False
        self.scheduler = Scheduler(self.clock, self.jobs.spawn)

    def queue(self, chat_id: ChatId, plan: Plan) -> bool:
        if self.must_queue:
            self.queued.append((chat_id, plan))
        return self.must_queue

    async def step(self, chat_id: ChatId, plan: Plan | None) -> Again | None:
        self.taken.append((chat_id, (self.clock.now() - START).total_seconds()))
        self.seen.append((chat_id, plan))
        if chat_id in self.gates:
            await self.gates[chat_id].wait()
        return self.again.pop(chat_id, None)

    async def rest(self) -> None:
        """Let everything that is due now run."""
        for _ in range(20):
            await asyncio.sleep(0)

    async def pass_time(self, seconds: float) -> None:
        self.clock.advance(seconds)
        await self.rest()


@asynccontextmanager
async def running() -> AsyncIterator[Steps]:
    steps = Steps()
    steps.jobs.spawn(steps.scheduler.run(steps.step, steps.queue), name="scheduler")
    await steps.rest()
    try:
        yield steps
    finally:
        await steps.jobs.aclose()


@pytest.fixture
def steps() -> OpenedInLoop:
    return OpenedInLoop(running())


def after(seconds: float) -> datetime:
    return START + timedelta(seconds=seconds)


async def test_what_is_due_earlier_goes_first_and_an_earlier_time_wins(steps: Steps) -> None:
    steps.scheduler.wake(A, after(9))
    steps.scheduler.wake(B, after(5))
    steps.scheduler.wake(A, after(3))
    steps.scheduler.wake(A, after(7))
    await steps.pass_time(4)
    await steps.pass_time(4)
    await steps.pass_time(4)
    assert steps.taken == [(A, 4), (B, 8)]


async def test_at_most_one_step_a_chat_and_what_came_meanwhile_is_not_lost(steps: Steps) -> None:
    steps.gates[A] = asyncio.Event()
    steps.scheduler.wake(A, START)
    await steps.rest()
    steps.scheduler.wake(A, START)
    steps.scheduler.wake(B, START)
    await steps.rest()
    assert [chat for chat, _ in steps.taken] == [A, B]
    steps.gates.pop(A).set()
    await steps.rest()
    assert [chat for chat, _ in steps.taken] == [A, B, A]


async def test_a_step_says_when_it_wants_to_run_again(steps: Steps) -> None:
    steps.again[A] = Again(after(30))
    steps.scheduler.wake(A, START)
    await steps.rest()
    await steps.pass_time(29)
    assert len(steps.taken) == 1
    await steps.pass_time(1)
    assert steps.taken == [(A, 0), (A, 30)]


async def test_the_wall_clock_is_asked_every_tick_because_it_may_jump(steps: Steps) -> None:
    assert steps.clock.timeouts == [TICK_S]
    steps.scheduler.wake(A, after(3600))
    await steps.rest()
    steps.scheduler.wake(B, after(0.5))
    await steps.rest()
    assert steps.clock.timeouts == [TICK_S, TICK_S, 0.5]
    await steps.pass_time(0.5)
    for _ in range(3):
        await steps.pass_time(TICK_S)
    assert steps.clock.timeouts[-3:] == [TICK_S] * 3
    assert [chat for chat, _ in steps.taken] == [B]


async def test_what_a_chat_was_woken_for_is_known_as_long_as_nothing_else_woke_it(steps: Steps) -> None:
    work = Plan(A, START, TaskId(1), AgentId(1))
    alone, twice, later = ChatId(1), ChatId(2), ChatId(3)
    steps.scheduler.wake(alone, START, work)
    steps.scheduler.wake(twice, START + timedelta(seconds=1), work)
    steps.scheduler.wake(twice, START)
    steps.scheduler.wake(later, START)
    await steps.rest()
    assert steps.seen == [(alone, work), (twice, None), (later, None)]


@pytest.mark.parametrize("is_woken", [False, True])
async def test_a_step_tells_what_the_next_one_comes_for(steps: Steps, is_woken: bool) -> None:
    work = Plan(A, START, TaskId(1), AgentId(1))
    steps.gates[A] = asyncio.Event()
    steps.again[A] = Again(after(2), work)
    steps.scheduler.wake(A, START)
    await steps.rest()
    if is_woken:
        steps.scheduler.wake(A, after(3))
    steps.gates.pop(A).set()
    await steps.rest()
    await steps.pass_time(2.5)
    assert steps.seen == [(A, None), (A, None if is_woken else work)]


async def test_a_plan_that_has_to_queue_takes_no_step_until_its_chat_is_woken_again(steps: Steps) -> None:
    work = Plan(A, START, TaskId(1), AgentId(1))
    steps.must_queue = True
    steps.scheduler.wake(A, START, work)
    steps.scheduler.wake(B, START)  # it may be anything
    await steps.rest()
    await steps.pass_time(TICK_S)
    assert (steps.queued, steps.seen) == ([(A, work)], [(B, None)])
    assert steps.scheduler.is_idle
    steps.scheduler.wake(A, steps.clock.now())
    await steps.rest()
    assert steps.seen == [(B, None), (A, None)]


async def test_other_work_of_a_chat_does_not_queue(steps: Steps) -> None:
    steps.must_queue = True
    steps.scheduler.wake(A, after(1), Plan(A, START, TaskId(1), AgentId(1)))
    steps.scheduler.wake(A, START)
    await steps.rest()
    assert (steps.queued, steps.seen) == ([], [(A, None)])
