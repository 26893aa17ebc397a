"""Caps on costs: planning pauses and asks, nothing is lost, and parallel calls do not get past them."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest

from chimein_gui.domain.costs import DESCRIPTION, PRICES, Price, cost_usd
from chimein_gui.domain.errors import ModelCapError, RefusedError
from chimein_gui.domain.events import CapsChanged, PreferencesChanged
from chimein_gui.domain.ids import Revision
from chimein_gui.domain.notes import NoteKind, PlanningKind
from chimein_gui.domain.prompt.model_faults import ModelFault
from chimein_gui.domain.prompt.prompts import Usage
from chimein_gui.domain.spending.caps import (
    EVERYTHING,
    LARGEST_REPLY,
    NOBODY,
    Admission,
    CapDay,
    CapKey,
    CapScope,
    Payer,
    Release,
    cap_of_agent,
    cap_of_chat,
    verdict,
    without_price,
)
from chimein_gui.domain.spending.days import day_around
from chimein_gui.domain.tasks import TaskStatus
from chimein_gui.domain.text.tokens import tokens_of
from chimein_gui.domain.traces.steps import StepKind, is_failure
from chimein_gui.domain.traces.summaries import TraceFilter, TraceState
from chimein_gui.engine.llm.spend_gate import SpendGate
from chimein_gui.viewmodels.traces.words import figures_of
from tests.support.async_tests import OpenedInLoop
from tests.support.capped_room import CappedRoom, capped_room
from tests.support.reading_traces import newest, reader

FLASH = "gemini-2.5-flash"
LARGEST = cost_usd(FLASH, Usage(0, LARGEST_REPLY), PRICES) or 0.0


@pytest.fixture
def here(tmp_path: Path) -> OpenedInLoop:
    return OpenedInLoop(capped_room(tmp_path, parallel=64))


def day(usd: float, spent: float = 0.0, reserved: float = 0.0, under_way: int = 0) -> CapDay:
    return CapDay(EVERYTHING, usd, spent_usd=spent, reserved_usd=reserved, under_way=under_way)


@pytest.mark.parametrize(
    ("cap", "usd", "in_background", "admission"),
    [
        (day(1.0), 0.5, False, Admission.ADMITTED),
        (day(1.0, 0.6, 0.3, 1), 0.2, False, Admission.WAITS),
        (day(1.0, 0.6), 5.0, False, Admission.ADMITTED),
        (day(1.0, 1.0), 0.0, False, Admission.REFUSED),
        (day(1.0, 0.79), 0.1, True, Admission.ADMITTED),
        (day(1.0, 0.7, 0.1, 1), 0.1, True, Admission.REFUSED),
        (day(0.0), 0.0, False, Admission.REFUSED),
        (replace(day(1.0, 9.0), is_lifted=True), 5.0, False, Admission.ADMITTED),
        (replace(day(1.0, 1.0), added_usd=2.0), 0.5, False, Admission.ADMITTED),
    ],
)
def test_a_call_is_admitted_waits_or_is_refused(
    cap: CapDay, usd: float, in_background: bool, admission: Admission
) -> None:
    assert verdict((day(100.0), cap), usd, in_background=in_background).admission is admission


def test_a_cap_is_marked_at_80_percent() -> None:
    assert [day(1.0, spent).is_marked for spent in (0.79, 0.8, 1.0)] == [False, True, True]
    assert not replace(day(1.0, 2.0), is_lifted=True).is_marked


async def test_without_a_cap_nothing_is_stored_before_a_call(here: CappedRoom) -> None:
    await here.room.due()
    job = await here.room.asking()
    assert await here.room.room.do(lambda tx: tx.spending.reservations()) == ()
    await job
    assert await here.caps.standings() == ()


async def test_what_a_call_may_cost_is_reserved_before_it_and_gone_when_it_is_booked(here: CappedRoom) -> None:
    await here.cap(5.0)
    gate = here.room.close_gate()
    await here.room.due()
    job = await here.room.asking()
    standing = await here.standing()
    assert standing.under_way == 1
    assert standing.reserved_usd == pytest.approx(LARGEST, rel=0.05)
    gate.set()
    await job
    (call,) = await here.room.booked()
    standing = await here.standing()
    assert (standing.under_way, standing.reserved_usd) == (0, 0.0)
    assert standing.spent_usd == call.cost_usd


@pytest.mark.parametrize("text", ["7" * 40_000, "🙂" * 10_000, "{[()]}" * 5_000, "word " * 8_000])
async def test_no_prompt_and_no_reply_cost_more_than_was_reserved(here: CappedRoom, text: str) -> None:
    await here.cap(5.0)
    await here.gate.reserve(NOBODY, FLASH, "plan", tokens_of([text]))
    dearest = cost_usd(FLASH, Usage(len(text.encode()), LARGEST_REPLY), PRICES)
    assert dearest is not None
    assert (await here.standing()).reserved_usd >= dearest


async def test_a_plan_that_a_cap_stops_waits_until_midnight_and_keeps_its_messages(here: CappedRoom) -> None:
    await here.cap(0.01)
    here.answers(1)
    await here.room.plan("first")
    second = await here.room.due("second")
    await here.room.run()
    chat, task = await here.room.chat(), await here.room.due_plan()
    assert chat.planning_problem is not None
    assert chat.planning_problem.kind is PlanningKind.CAP
    fault = chat.planning_problem.fault
    assert fault is not None
    assert (fault.kind, fault.words, fault.number) == (ModelFault.CAP_REACHED, "all", 10_000)
    assert task.status is TaskStatus.WAITING
    assert (task.attempts, task.trigger_ids[-1]) == (0, second.key.message_id)
    assert task.reason is not None
    assert task.reason.kind is NoteKind.WAITS_FOR_CAP
    assert task.due_at == day_around(here.room.room.clock.now())[1]
    assert len(here.room.model.prompts) == 1
    standing = await here.standing()
    assert (standing.is_reached, standing.waiting, standing.asks) == (True, 1, True)


async def test_after_2_dollars_more_the_waiting_message_is_planned(here: CappedRoom) -> None:
    await paused(here)
    await here.caps.release(EVERYTHING, Release.ADD)
    assert here.room.room.woken[-1] == here.room.room.chat_id
    await here.room.run()
    (draft,) = await here.room.drafts(TaskStatus.AWAITING_DECISION)
    assert draft.text == "answer 2"
    assert (await here.room.chat()).planning_problem is None
    standing = await here.standing()
    assert (standing.limit_usd, standing.waiting) == (2.01, 0)
    assert any(isinstance(event, CapsChanged) for event in here.room.room.events)


async def test_once_more_makes_the_waiting_plan_and_the_next_one_asks_again(here: CappedRoom) -> None:
    await paused(here)
    await here.caps.release(EVERYTHING, Release.ONCE)
    await here.room.run()
    assert len(here.room.model.prompts) == 2
    await here.room.due("third")
    await here.room.run()
    assert len(here.room.model.prompts) == 2
    assert (await here.standing()).waiting == 1


async def test_until_midnight_the_cap_is_lifted_and_then_it_holds_again(here: CappedRoom) -> None:
    await paused(here)
    await here.caps.release(EVERYTHING, Release.UNTIL_MIDNIGHT)
    here.answers(2)
    await here.room.run()
    await here.room.plan("third")
    assert len(here.room.model.prompts) == 3
    to_midnight(here)
    here.answers(1)
    await here.room.plan("of the next day")
    await here.room.plan("and one more")
    assert len(here.room.model.prompts) == 4
    assert (await here.standing()).is_reached


async def test_a_cap_that_is_kept_paused_asks_no_more_and_its_plan_is_made_after_midnight(here: CappedRoom) -> None:
    await paused(here)
    await here.caps.release(EVERYTHING, Release.KEEP_PAUSED)
    standing = await here.standing()
    assert (standing.is_reached, standing.asks, standing.waiting) == (True, False, 1)
    to_midnight(here)
    await here.room.run()
    assert len(here.room.model.prompts) == 2
    assert (await here.standing()).waiting == 0


async def test_a_higher_cap_or_none_lets_the_plan_go(here: CappedRoom) -> None:
    await paused(here)
    assert await here.caps.set_cap(EVERYTHING, None) == 0.01
    await here.room.run()
    assert len(here.room.model.prompts) == 2


@pytest.mark.parametrize("usd", [-1.0, float("nan"), float("inf"), 1e9])
async def test_an_amount_that_is_no_cap_is_refused(here: CappedRoom, usd: float) -> None:
    with pytest.raises(RefusedError):
        await here.caps.set_cap(EVERYTHING, usd)
    with pytest.raises(RefusedError):
        await here.caps.release(EVERYTHING, Release.ADD, usd)
    with pytest.raises(RefusedError):
        await here.caps.set_cap(CapKey(CapScope.MODEL, "x"), 1.0)


async def test_the_cap_of_one_chat_leaves_the_others_alone(here: CappedRoom) -> None:
    mine = here.room.room.chat_id
    other = await here.room.another_chat(4_711)
    agent_id = (await here.room.chat()).agent_id
    await here.cap(0.01, cap_of_chat(mine))
    await here.cap(0.03, cap_of_agent(agent_id))
    here.answers(8)
    for chat_id in (mine, other, mine, other, other):
        await here.room.due(chat_id=chat_id)
        await here.plan_of(chat_id)
    waiting = {one.key: one.waiting for one in await here.caps.standings()}
    assert len(here.room.model.prompts) == 3
    assert waiting == {cap_of_agent(agent_id): 1, cap_of_chat(mine): 1}


async def test_a_model_without_a_price_asks_where_a_cap_would_have_to_hold(here: CappedRoom) -> None:
    here.room.spec = replace(here.room.spec, model="acme-1")
    await here.room.plan()
    assert len(here.room.model.prompts) == 1
    await here.cap(1.0)
    await here.room.due("second")
    await here.room.run()
    key = without_price("acme-1")
    assert len(here.room.model.prompts) == 1
    assert (await here.standing(key)).waiting == 1
    await here.caps.release(key, Release.ADD)
    await here.room.run()
    assert len(here.room.model.prompts) == 2


async def test_a_plan_that_is_not_begun_has_a_trace_that_says_why_and_goes_on_with_the_plan(here: CappedRoom) -> None:
    await here.cap(0.01)
    here.answers(2)
    await here.room.plan("first")
    await here.room.due("second")
    await here.room.run()
    trace = await newest(here.room)
    assert (trace.summary.state, trace.summary.first_words) == (TraceState.CAPPED, "second")
    counts = await reader(here.room).count(TraceFilter())
    assert (counts.waiting, counts.problems) == (2, 0), "the draft, and the plan at the cap"
    assert not any(map(is_failure, trace.steps))
    problem = trace.summary.problem
    assert problem is not None
    assert problem.cause is not None
    assert problem.cause.kind is ModelFault.CAP_REACHED
    kinds = [step.kind for step in trace.steps]
    assert kinds == [StepKind.DEBOUNCE, StepKind.CONTEXT, StepKind.ATTEMPT, StepKind.NEXT_TRY]
    assert [value for value, name in figures_of(trace) if "call" in name] == ["–"], "no call needs no price"
    await here.room.write("third")
    await here.room.due("fourth")
    await here.room.run()
    again = await newest(here.room)
    assert (again.summary.trace_id, len(again.steps)) == (trace.summary.trace_id, 4), "told once"
    await here.caps.release(EVERYTHING, Release.ADD)
    await here.room.run()
    planned = await newest(here.room)
    assert (planned.summary.trace_id, planned.summary.state) == (trace.summary.trace_id, TraceState.WAITING)
    assert StepKind.MODEL_CALL in [step.kind for step in planned.steps]


async def test_a_plan_that_another_cap_stops_next_has_a_trace_that_names_that_one(here: CappedRoom) -> None:
    mine = cap_of_chat(here.room.room.chat_id)
    await here.cap(0.01)
    await here.cap(0.01, mine)
    here.answers(2)
    await here.room.plan("first")
    await here.room.due("second")
    await here.room.run()

    async def stopped_by() -> str:
        trace = await newest(here.room)
        assert trace.summary.state is TraceState.CAPPED
        assert trace.summary.problem is not None
        assert trace.summary.problem.cause is not None
        return trace.summary.problem.cause.words

    first, second = (EVERYTHING, mine) if await stopped_by() == EVERYTHING.scope.value else (mine, EVERYTHING)
    await here.caps.release(first, Release.ADD)
    await here.room.run()
    assert await stopped_by() == second.scope.value


async def test_a_price_lets_the_plans_go_that_waited_for_it(here: CappedRoom) -> None:
    here.room.spec = replace(here.room.spec, model="acme-1")
    await here.cap(1.0)
    await here.room.due()
    await here.room.run()
    here.gate.prices = (Price("acme-1", 1.0, 1.0), *PRICES)
    room = here.room.room
    room.bus.publish(PreferencesChanged(replace(room.environment.preferences, prices=here.gate.prices), Revision(1)))
    await here.room.jobs_end()
    await here.room.run()
    assert len(here.room.model.prompts) == 1


async def test_calls_in_the_background_stop_at_80_percent_and_never_wait(here: CappedRoom) -> None:
    await here.cap(1.0)
    first = await here.gate.reserve(NOBODY, FLASH, DESCRIPTION, 10)
    await here.room.room.do(lambda tx: tx.spending.drop(first))
    reserved = [await here.gate.reserve(NOBODY, FLASH, "plan", 10) for _ in range(5)]
    assert len(set(reserved)) == 5
    with pytest.raises(ModelCapError):
        await here.gate.reserve(NOBODY, FLASH, DESCRIPTION, 10)


async def test_64_plans_at_once_never_cost_more_than_the_cap_and_one_reservation(here: CappedRoom) -> None:
    room = here.room
    chats = [room.room.chat_id, *[await room.another_chat(1_000 + number) for number in range(63)]]
    for chat_id in chats:
        await room.trigger(chat_id=chat_id)
    room.room.clock.advance(2)
    here.answers(200)
    await here.cap(0.05)
    most = 0.0

    async def watch() -> None:
        nonlocal most
        standing = await here.standing()
        most = max(most, standing.spent_usd + standing.reserved_usd)

    async def plan(chat_id: int) -> None:
        await room.planner.plan(chats[chat_id])
        await watch()

    await asyncio.gather(*(plan(number) for number in range(64)))
    standing = await here.standing()
    one = LARGEST + 0.01
    assert standing.is_reached
    assert standing.spent_usd <= 0.05 + one
    assert most <= 0.05 + one
    assert len(room.model.prompts) == 5  # a cent each
    assert standing.waiting == 59
    await here.caps.release(EVERYTHING, Release.ADD)
    await asyncio.gather(*(room.planner.plan(chat_id) for chat_id in chats))
    planned = await room.room.do(lambda tx: [tx.graphs.current_of(chat_id) for chat_id in chats])
    assert None not in planned
    assert len(room.model.prompts) == 64
    assert (await here.standing()).waiting == 0


async def test_a_cap_that_is_set_while_calls_run_counts_them(here: CappedRoom) -> None:
    gate = here.room.close_gate()
    other = await here.room.another_chat(4_711)
    await here.room.due()
    first = await here.room.asking()
    await here.cap(0.05)
    await here.room.due(chat_id=other)
    second = here.room.jobs.spawn(here.plan_of(other), name="second")
    await here.room.room.do(lambda tx: tx.revision)
    assert len(here.room.model.prompts) == 1  # the second waits for the first
    gate.set()
    await asyncio.gather(first, second)
    assert len(here.room.model.prompts) == 2


async def test_a_waiting_call_is_interrupted_by_a_newer_message(here: CappedRoom) -> None:
    await here.cap(0.05)
    token = await here.gate.reserve(NOBODY, FLASH, "plan", 10)
    await here.room.due()
    job = here.room.start()
    while not here.gate.is_awaited:
        await here.room.room.do(lambda tx: tx.revision)
    await here.room.trigger("newer")
    await job
    assert (await here.room.due_plan()).restarts == 1
    assert not here.gate.is_awaited
    await here.room.room.do(lambda tx: tx.spending.drop(token))


async def test_what_a_killed_program_had_begun_is_booked_at_the_next_start(here: CappedRoom) -> None:
    await here.cap(0.5)
    chat = await here.room.chat()
    payer = Payer(chat_id=chat.chat_id)
    await here.gate.reserve(payer, FLASH, "plan", 100_000)
    await here.gate.reserve(Payer(chat.agent_id), FLASH, DESCRIPTION, 100_000)
    base = here.room.room
    after = SpendGate(base.unit, base.bus, base.clock)
    await after.load()
    standing = await here.standing()
    assert (standing.under_way, standing.reserved_usd) == (0, 0.0)
    assert standing.spent_usd == pytest.approx(0.06)
    (call,) = await here.room.booked()
    assert (call.estimated, call.usage) == (True, Usage(100_000))
    assert await base.do(lambda tx: after.problem(tx, payer, FLASH)) is None
    await here.cap(0.06)
    assert await base.do(lambda tx: after.problem(tx, payer, FLASH)) is not None


async def test_a_clock_that_is_set_back_counts_that_day(here: CappedRoom) -> None:
    await paused(here)
    here.room.room.clock.advance(-timedelta(days=1).total_seconds())
    assert not (await here.standing()).is_reached
    here.room.room.clock.advance(timedelta(days=1).total_seconds())
    assert (await here.standing()).is_reached


async def paused(here: CappedRoom) -> None:
    """Reach the cap for everything of a cent with one plan; another message waits."""
    await here.cap(0.01)
    here.answers(1)
    await here.room.plan("first")
    await here.room.due("second")
    await here.room.run()
    assert (await here.standing()).waiting == 1


def to_midnight(here: CappedRoom) -> None:
    clock = here.room.room.clock
    clock.advance((day_around(clock.now())[1] - clock.now()).total_seconds() + 1)
