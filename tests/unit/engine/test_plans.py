"""What the operator does with a plan and its steps."""

from __future__ import annotations

import asyncio

import pytest

from chimein_gui.domain.approvals import Approval, Approve
from chimein_gui.domain.errors import ModelError, ModelRefusedError, ModelTransientError
from chimein_gui.domain.events import StepChanged, VariantStored
from chimein_gui.domain.notes import Note
from chimein_gui.domain.tasks import CancelReason, TaskKind, TaskStatus
from chimein_gui.viewmodels.words.notes import problem_words
from tests.support.engine_room import Room


def step(room: Room, kind: TaskKind) -> StepChanged | None:
    """Return the newest news of a step of a kind."""
    return next((e for e in reversed(room.events) if isinstance(e, StepChanged) and e.kind is kind), None)


async def planned(room: Room, reply: str) -> Approval:
    room.model.script.append(reply)
    return await room.drafted()


async def test_rejecting_a_plan_ends_all_of_it_and_answers_its_message(room: Room) -> None:
    draft = await planned(room, "# «send»\none\n# «send»\ntwo")
    await room.engine.plans.reject(draft.graph_id, "not today")
    assert [approval.task_status for approval in room.approvals()] == [TaskStatus.CANCELLED] * 2
    tasks = await room.store.read(lambda tx: tx.tasks.of_graph(draft.graph_id))
    assert {task.reason for task in tasks if task.kind is TaskKind.SEND} == {Note(CancelReason.PLAN_REJECTED)}
    assert (await room.engine.queries.chats()).rows[0].planned_up_to == 1


async def test_a_wait_of_more_than_a_day_begins_when_the_operator_allows_it(room: Room) -> None:
    draft = await planned(room, "# «wait»\n90000\n# «send»\nlater")
    wait = step(room, TaskKind.WAIT)
    assert wait is not None
    assert wait.status is TaskStatus.AWAITING_OPERATOR
    await room.decide(draft, Approve())
    await room.pass_time(100_000, step_s=50_000)
    assert room.telegram.requests == []
    loaded = await room.engine.plans.load(wait.chat_id)
    assert [(one.task_id, one.status, one.reason) for one in loaded.rows] == [
        (wait.task_id, TaskStatus.AWAITING_OPERATOR, wait.reason)
    ]
    await room.engine.plans.let_wait_begin(wait.task_id)
    begun = step(room, TaskKind.WAIT)
    assert begun is not None
    assert begun.status is TaskStatus.WAITING


async def test_a_plan_in_the_making_can_be_given_up(room: Room) -> None:
    room.model.gate = asyncio.Event()
    room.telegram.partner_writes("hello")
    await room.model.asked(1)
    received = step(room, TaskKind.RECEIVED)
    assert received is not None
    await room.engine.plans.cancel_planning(received.task_id)
    room.model.gate.set()
    await room.worked_off()
    assert room.approvals() == ()
    chat = (await room.engine.queries.chats()).rows[0]
    assert (chat.planned_up_to, chat.planning) == (1, False)


@pytest.mark.parametrize(
    "error", [ModelTransientError("overloaded"), ModelRefusedError("blocked")], ids=["the next attempt", "given up"]
)
async def test_a_plan_that_failed_can_be_made_now(room: Room, error: ModelError) -> None:
    room.model.script.append(error)
    room.telegram.partner_writes("hello")
    chat = await room.chat(lambda chat: str(error) in problem_words(chat.planning_problem))
    await room.engine.plans.retry(chat.chat_id)
    await room.approval(TaskStatus.AWAITING_DECISION)
    assert (await room.engine.queries.chats()).rows[0].planning_problem is None


async def test_a_variant_is_made_chosen_and_sent(room: Room) -> None:
    draft = await planned(room, "# «send»\none")
    room.model.script.append("# «send»\nuno")
    made = await room.engine.plans.regenerate(draft.graph_id, "in Italian")
    assert made.graph_id is not None
    assert any(isinstance(e, VariantStored) and e.graph.graph_id == made.graph_id for e in room.events)
    assert await room.engine.variants.choose(made.graph_id) is None
    chosen = await room.approval(TaskStatus.AWAITING_DECISION, "uno")
    await room.delivered(chosen)
    assert room.telegram.delivered() == ["uno"]
    assert await room.engine.variants.discard(made.graph_id) is not None
