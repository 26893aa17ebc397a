"""Whose turn it is when slots are few."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from contextlib import AsyncExitStack
from dataclasses import replace
from datetime import timedelta
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from chimein_gui.domain.approvals import Approve
from chimein_gui.domain.chats import TrustLevel
from chimein_gui.domain.ids import AgentId, ChatId, PeerId, TaskId
from chimein_gui.domain.tasks import TaskKind, TaskStatus
from chimein_gui.engine.core.fair_semaphore import FairSemaphore
from chimein_gui.engine.core.jobs import JobRunner
from chimein_gui.engine.ports import Transaction
from chimein_gui.engine.tasks.next_action import EndWait, NextAction, Plan
from tests.fakes.clock import START
from tests.fakes.telegram import FakeGateway, FakeTelegram
from tests.support.engine_room import QUICK, engine_room
from tests.support.planning_room import PlanningRoom, planning_room

JOB_S = 10.0


async def in_turn(slots: FairSemaphore, order: list[object], name: object, due_s: float, owner: str = "") -> None:
    async with slots.turn(START + timedelta(seconds=due_s), owner):
        order.append(name)
        await asyncio.sleep(0)


async def test_who_is_due_longest_goes_first_whoever_came_first() -> None:
    slots, order = FairSemaphore(1), []  # type: tuple[FairSemaphore, list[object]]
    jobs = JobRunner()
    async with slots.turn(START, ""):
        waiting = [jobs.spawn(in_turn(slots, order, due, due), name=str(due)) for due in (5, 1, 3, 2, 4)]
        await asyncio.sleep(0)
    await asyncio.gather(*waiting)
    assert order == [1, 2, 3, 4, 5]


async def test_those_due_together_take_turns_by_owner() -> None:
    slots, order = FairSemaphore(1), []  # type: tuple[FairSemaphore, list[object]]
    jobs = JobRunner()
    async with slots.turn(START, ""):
        waiting = [jobs.spawn(in_turn(slots, order, f"nora {n}", 0, "nora"), name="nora") for n in range(3)]
        waiting += [jobs.spawn(in_turn(slots, order, f"ada {n}", 0, "ada"), name="ada") for n in range(2)]
        await asyncio.sleep(0)
    await asyncio.gather(*waiting)
    assert order == ["nora 0", "ada 0", "nora 1", "ada 1", "nora 2"]


@pytest.mark.parametrize("slots_free", [1, 3])
async def test_no_more_than_the_slots_run_at_once_and_none_is_lost(slots_free: int) -> None:
    slots, running, most = FairSemaphore(slots_free), 0, 0
    jobs = JobRunner()

    async def job(number: int) -> None:
        nonlocal running, most
        async with slots.turn(START, number):
            running += 1
            most = max(most, running)
            try:
                await asyncio.sleep(0)
            finally:
                running -= 1

    work = [jobs.spawn(job(number), name=str(number)) for number in range(20)]
    for cancelled in work[5:10]:
        await asyncio.sleep(0)
        cancelled.cancel()
    await asyncio.gather(*work, return_exceptions=True)
    assert most == slots_free
    async with asyncio.timeout(60), AsyncExitStack() as all_slots:
        for _ in range(slots_free):
            await all_slots.enter_async_context(slots.turn(START, ""))


async def test_a_slot_that_was_handed_to_somebody_who_is_gone_goes_on() -> None:
    slots, jobs, order = FairSemaphore(1), JobRunner(), []  # type: tuple[FairSemaphore, JobRunner, list[object]]
    async with slots.turn(START, ""):
        gone = jobs.spawn(in_turn(slots, order, "gone", 0), name="gone")
        other = jobs.spawn(in_turn(slots, order, "other", 1), name="other")
        await asyncio.sleep(0)
    gone.cancel()  # its turn has come, but it has not run yet
    async with asyncio.timeout(60):
        await other
    assert order == ["other"]


async def ready_chats(room: PlanningRoom, count: int) -> list[ChatId]:
    """Chats with a message to answer; the first was due first."""
    chats = []
    for number in range(count):
        chat_id = await room.another_chat(1000 + number)
        await room.write(f"hello {number}", chat_id=chat_id)
        chats.append(chat_id)

    def work(tx):
        for number, chat_id in enumerate(chats):
            due_at = START - timedelta(seconds=count - number)
            tx.tasks.add(chat_id, TaskKind.RECEIVED, TaskStatus.WAITING, due_at=due_at, window_began_at=due_at)

    await room.room.do(work)
    return chats


async def test_200_ready_chats_start_in_due_order_each_within_its_share_of_job_lengths(tmp_path: Path) -> None:
    count, parallel = 200, 8
    async with planning_room(tmp_path, parallel=parallel) as room:
        chats = await ready_chats(room, count)
        gate = room.close_gate()

        async def plan(number: int) -> None:
            due_at = START - timedelta(seconds=count - number)
            await room.planner.plan(chats[number], due_at=due_at, owner="nora")

        # They ask for their turn in the worst order.
        for number in reversed(range(count)):
            room.jobs.spawn(plan(number), name="plan")
            await asyncio.sleep(0)
        started: list[str] = []
        rounds = 0
        while len(started) < count:
            rounds += 1
            asked = min(count, parallel * rounds)
            await room.model.asked(asked)
            started = [prompt.turns[-1].parts[1] for prompt in room.model.prompts]
            assert len(started) == asked
            room.room.clock.advance(JOB_S)
            gate.set()
            gate = room.close_gate()
        gate.set()
        assert rounds == -(-count // parallel)
        first = {f"hello {number}" for number in range(count - parallel, count)}
        assert set(started[:parallel]) == first  # found every slot free
        assert started[parallel:] == [f"hello {number}" for number in range(count - parallel)]
        await room.jobs_end()


STRANGER = PeerId(7_000_005_002)


class SlowHistory(FakeGateway):
    """Answers nobody who asks for a stranger's history."""

    asked = asyncio.Event()

    async def history(self, peer_id, **kwargs):
        if peer_id == STRANGER:
            self.asked.set()
            await self._lost.wait()
        return await super().history(peer_id, **kwargs)


async def test_in_the_engine_history_that_does_not_come_keeps_no_slot_from_others(tmp_path: Path) -> None:
    telegram = FakeTelegram(make=SlowHistory)
    SlowHistory.asked = asyncio.Event()
    preferences = replace(QUICK, parallel_plans=1)
    async with engine_room(tmp_path, telegram=telegram, preferences=preferences) as room:
        await room.drafted()
        slow = telegram.partner_writes("who are you?", STRANGER)
        await SlowHistory.asked.wait()
        telegram.partner_writes("still there?")
        await room.model.asked(2)
        assert any("still there?" in str(prompt.turns) for prompt in room.model.prompts)
        assert not any(slow.text in str(prompt.turns) for prompt in room.model.prompts)
        await room.reach(lambda: any(slow.text in str(prompt.turns) for prompt in room.model.prompts))


def as_told(work: NextAction | None, _tx: Transaction) -> NextAction | None:
    return work


async def test_whoever_waited_for_a_slot_does_first_what_comes_first_by_then(tmp_path: Path) -> None:
    async with planning_room(tmp_path, parallel=1) as room:
        (chat_id,) = await ready_chats(room, 1)
        now = room.room.clock.now()
        later = now + timedelta(seconds=1)
        for work in (EndWait(chat_id, now, TaskId(1)), Plan(chat_id, later, TaskId(1), AgentId(1)), None):
            assert await room.planner.plan(chat_id, look=partial(as_told, work)) is work
        assert room.model.prompts == []
        await room.planner.plan(chat_id)  # each time the slot was given back
        assert len(room.model.prompts) == 1


async def test_whoever_asks_keeps_his_place_and_his_slot_until_he_lets_it_go() -> None:
    slots, called, order = FairSemaphore(1), [], []  # type: tuple[FairSemaphore, list[str], list[object]]
    jobs = JobRunner()
    async with slots.turn(START, ""):
        assert not slots.ask("early", START, "", lambda: called.append("early"))
        waiting = jobs.spawn(in_turn(slots, order, "late", 1), name="late")
        await asyncio.sleep(0)
        assert slots.awaits("early")
        slots.release("early")  # it is not his turn yet
        assert not slots.ask("early", START + timedelta(seconds=5), "", lambda: called.append("again"))
    await asyncio.sleep(0)
    assert (called, order) == (["early"], [])
    assert slots.ask("early", START, "", lambda: called.append("again"))
    slots.release("early")
    await waiting
    assert order == ["late"]
    assert slots.ask("early", START, "", lambda: called.append("again"))
    async with slots.turn(START, "", "early"):
        assert not slots.ask("other", START, "", lambda: called.append("other"))
    await asyncio.sleep(0)
    assert called == ["early", "other"]


async def test_what_the_operator_writes_leaves_while_his_chat_waits_for_a_slot(tmp_path: Path) -> None:
    preferences = replace(QUICK, undo_s=5.0, parallel_plans=1)
    async with engine_room(tmp_path, preferences=preferences) as room:
        draft = await room.drafted()
        room.model.gate = gate = asyncio.Event()
        room.telegram.partner_writes("slow", PeerId(9_000))
        await room.model.asked(2)
        room.telegram.partner_writes("and?")
        await room.worked_off()
        assert len(room.model.prompts) == 2
        draft = room.newest(draft)
        assert draft.is_stale
        await room.decide(draft, Approve(), seen_up_to=draft.changed_at)
        await room.pass_time(6)
        assert room.telegram.delivered() == ["answer 1"]
        await room.engine.composer.write(draft.chat_id, "mine", client_id="a")
        await room.pass_time(6)
        assert room.telegram.delivered() == ["answer 1", "mine"]
        assert len(room.model.prompts) == 2
        gate.set()
        await room.worked_off()


async def test_whoever_waits_for_a_slot_is_planned_in_his_turn_and_a_gone_one_gives_it_on(tmp_path: Path) -> None:
    preferences = replace(QUICK, parallel_plans=1)
    async with engine_room(tmp_path, preferences=preferences) as room:
        room.model.gate = gate = asyncio.Event()
        for number in range(4):
            await room.stored(room.telegram.partner_writes(f"hello {number}", PeerId(9_000 + number)))
            await room.worked_off()
        chat = await room.chat(lambda one: one.info.peer_id == 9_001)
        await room.engine.chat_settings.set_trust(chat.chat_id, TrustLevel.OFF)
        gate.set()
        await room.worked_off()
        assert [prompt.turns[-1].parts[1] for prompt in room.model.prompts] == ["hello 0", "hello 2", "hello 3"]


async def test_whoever_waits_for_a_slot_takes_one_step_not_two(tmp_path: Path) -> None:
    preferences = replace(QUICK, parallel_plans=1)
    async with engine_room(tmp_path, preferences=preferences) as room:
        peers = [PeerId(9_000 + number) for number in range(4)]
        for peer in 3 * peers:  # at first each chat's history is looked up, which takes a step
            await room.stored(room.telegram.partner_writes("hello", peer))
            await room.worked_off()
        scheduler, begun, asked = room.engine._services.scheduler, list[str](), len(room.model.prompts)
        spawn = scheduler._spawn

        def noting(job: Coroutine[Any, Any, None], *, name: str) -> object:
            begun.append(name)
            return spawn(job, name=name)

        scheduler._spawn = noting
        room.model.gate = gate = asyncio.Event()
        for peer in peers:
            await room.stored(room.telegram.partner_writes("and now?", peer))
            await room.worked_off()
        assert len(begun) == 1
        gate.set()
        await room.worked_off()
        assert len(begun) == len({*begun}) == len(peers)
        assert len(room.model.prompts) == asked + len(peers)


async def test_a_plan_that_a_takeover_holds_back_takes_no_place_in_the_queue(tmp_path: Path) -> None:
    preferences = replace(QUICK, parallel_plans=1)
    async with engine_room(tmp_path, preferences=preferences) as room:
        taken, busy = PeerId(9_000), PeerId(9_001)
        for peer in 3 * [taken, busy]:
            await room.stored(room.telegram.partner_writes("hello", peer))
            await room.worked_off()
        chat = await room.chat(lambda one: one.info.peer_id == taken)
        until = room.clock.now() + timedelta(hours=1)
        await room.store.transact(lambda tx: tx.chats.set_takeover(chat.chat_id, until))
        room.model.gate = gate = asyncio.Event()
        for peer in (busy, taken):
            await room.stored(room.telegram.partner_writes("and now?", peer))
            await room.worked_off()
        slots = room.engine._services.slots
        assert slots.spare == 0
        assert not slots.awaits(chat.chat_id)
        gate.set()
        await room.worked_off()
