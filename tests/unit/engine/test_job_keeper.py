"""Jobs that fail are told to the operator; those that are needed run again."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator
from dataclasses import replace
from pathlib import Path

from chimein_gui.domain.approvals import Approve
from chimein_gui.domain.events import FaultReported
from chimein_gui.domain.ids import ChatId
from chimein_gui.domain.notes import Note
from chimein_gui.domain.notes.faults import FaultReason
from chimein_gui.domain.tasks import TaskStatus
from chimein_gui.engine.core.event_bus import EventBus
from chimein_gui.engine.core.jobs import FIRST_PAUSE_S, LONGEST_PAUSE_S, STEADY_S, JobKeeper, JobRunner
from chimein_gui.engine.ports import AgentFolder
from chimein_gui.viewmodels.words.notes import note_sentence
from tests.fakes.agent_files import FakeAgentFiles
from tests.fakes.clock import VirtualClock
from tests.support.engine_room import NORA, Room, engine_room
from tests.support.log_guard import ExpectedLogs

JOB = Note(FaultReason.CONNECTION_STOPPED, "the job")


def faults(room: Room, key: str) -> list[str]:
    return [
        note_sentence(event.cause) for event in room.events if isinstance(event, FaultReported) and event.key == key
    ]


class Failing:
    """Work that fails as often as it is told, then runs until it is let go."""

    def __init__(self, times: int) -> None:
        self.clock = VirtualClock()
        self.jobs, self.bus = JobRunner(), EventBus()
        self.began: list[float] = []
        self.told: list[str] = []
        self.left = times
        self.gate = asyncio.Event()
        self.hears = self.bus.subscribe(lambda event: self.told.append(note_sentence(getattr(event, "cause", None))))
        self.start = self.clock.now()

    async def work(self) -> None:
        self.began.append((self.clock.now() - self.start).total_seconds())
        if self.left:
            self.left -= 1
            raise RuntimeError("boom")
        await self.gate.wait()

    async def pass_time(self, seconds: int) -> None:
        for _ in range(seconds):
            self.clock.advance(1)
            for _ in range(20):
                await asyncio.sleep(0)


async def test_the_pauses_between_restarts_double_and_a_steady_job_is_no_fault_any_more(
    expected_logs: ExpectedLogs,
) -> None:
    expected_logs("Unexpected error: connection stopped the job")
    failing = Failing(8)
    keeper = JobKeeper(failing.bus, failing.clock, failing.jobs.spawn)
    failing.jobs.spawn(keeper.keep(failing.work, key="k", what=JOB, meanwhile=FaultReason.APPROVED_WAITS), name="job")
    await failing.pass_time(260)
    pauses = [after - before for before, after in zip(failing.began, failing.began[1:], strict=False)]
    assert pauses == [FIRST_PAUSE_S, 2, 4, 8, 16, 32, LONGEST_PAUSE_S, LONGEST_PAUSE_S]
    assert failing.told[-1] == "", "it has run for a minute"
    assert failing.told[:-1] == [note_sentence(replace(JOB, more="RuntimeError"))] * 8
    failing.left = 1
    failing.gate.set()
    await failing.pass_time(1)
    assert failing.jobs.names() == ()
    await failing.jobs.aclose()


async def test_a_scheduler_that_fails_is_told_and_runs_again(room: Room, expected_logs: ExpectedLogs) -> None:
    expected_logs("scheduler stopped")
    draft = await room.drafted()
    scheduler = room.engine._services.scheduler
    real = scheduler._start_due

    def broken(*_asked: object) -> float:
        scheduler._start_due = real  # type: ignore[method-assign]
        scheduler._due.clear()  # whatever it knew may be lost
        raise RuntimeError("boom")

    scheduler._start_due = broken  # type: ignore[method-assign,assignment]
    await room.decide(draft, Approve())
    await room.until(lambda: faults(room, "scheduler"))
    assert "scheduler stopped" in faults(room, "scheduler")[0]
    await room.pass_time(FIRST_PAUSE_S)
    await room.approval(TaskStatus.DONE)
    assert room.telegram.delivered() == ["answer 1"]
    await room.pass_time(STEADY_S + 1, 10)
    assert faults(room, "scheduler")[-1] == ""


class BrokenWatch(FakeAgentFiles):
    """The watch on the directory breaks once."""

    broken = False

    async def changes(self) -> AsyncGenerator[None, None]:
        if not self.broken:
            self.broken = True
            raise RuntimeError("inotify is gone")
        async for _ in super().changes():
            yield


async def test_agent_files_are_followed_again_after_their_watch_has_failed(
    tmp_path: Path, expected_logs: ExpectedLogs
) -> None:
    expected_logs("agent watch stopped")
    files = BrokenWatch(NORA)
    async with engine_room(tmp_path, agents=(), agent_files=files) as room:
        await room.until(lambda: faults(room, "agent files watch"))
        await room.pass_time(FIRST_PAUSE_S)
        files.put(AgentFolder((NORA,), (), "be brief"))
        await room.worked_off()
        assert room.engine.directory.model_prompt()[0] == "be brief"


async def test_messages_behind_a_failure_of_the_storing_are_stored_and_planned(
    room: Room, expected_logs: ExpectedLogs
) -> None:
    expected_logs("storing stopped")
    ingest = room.engine._services.ingest
    broken = [True]

    def listener(_chat_id: ChatId) -> None:
        if broken.pop() if broken else False:
            raise RuntimeError("boom")

    ingest.listeners.triggers.insert(0, listener)
    room.telegram.partner_writes("hello")
    await room.until(lambda: faults(room, "ingest job"))
    room.telegram.partner_writes("still there?")
    await room.pass_time(FIRST_PAUSE_S)
    draft = await room.approval(TaskStatus.AWAITING_DECISION)
    assert draft.covers_up_to == 2
    assert faults(room, "ingest job")[-1] == ""


async def test_a_job_that_nothing_keeps_is_told_when_it_fails(room: Room, expected_logs: ExpectedLogs) -> None:
    expected_logs("Job look at the moon failed")

    async def look() -> None:
        raise KeyError("moon")

    room.jobs.spawn(look(), name="look at the moon")
    await room.until(lambda: faults(room, "job"))
    assert faults(room, "job") == ["Unexpected error in the background: look at the moon (KeyError)."]
