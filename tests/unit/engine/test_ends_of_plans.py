"""How plans end that are not made: the key was bad, nobody waits for an answer."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from chimein_gui.domain.chats import TriggerMode
from chimein_gui.domain.errors import ModelKeyError
from chimein_gui.domain.ids import TaskId
from chimein_gui.domain.tasks import TaskStatus
from chimein_gui.engine.planning.lifecycle import NOT_HEARD
from chimein_gui.engine.ports import Transaction
from chimein_gui.engine.tasks.transitions import NEVER
from tests.support.planning_room import PlanningRoom


async def test_a_key_that_is_changed_before_its_failure_is_stored_wakes_the_plan(room: PlanningRoom) -> None:
    room.model.script.append(ModelKeyError("this key is bad"))
    await room.due("hello")
    unit = room.services.unit
    record = unit.record

    async def record_after_the_change(work: Any) -> Any:
        unit.record = record  # type: ignore[method-assign]
        await room.planner.model_key_changed()
        return await record(work)

    unit.record = record_after_the_change  # type: ignore[method-assign]
    await room.run()
    received = await room.received()
    assert received is None or received.due_at != NEVER
    await room.run()
    assert [draft.text for draft in await room.drafts()] == ["answer 2"]


async def test_a_plan_that_nobody_waits_for_any_more_says_so(room: PlanningRoom) -> None:
    await room.trigger("hello")
    chat_id = room.room.chat_id

    def never(tx: Transaction) -> TaskId:
        settings = tx.chats.get(chat_id).settings
        tx.chats.set_settings(chat_id, replace(settings, triggers=TriggerMode.NEVER))
        received = tx.tasks.open_received(chat_id)
        assert received is not None
        return received.task_id

    task_id = await room.room.do(never)
    await room.later(2)
    task = await room.room.do(lambda tx: tx.tasks.get(task_id))
    assert (task.status, task.reason) == (TaskStatus.CANCELLED, NOT_HEARD)
