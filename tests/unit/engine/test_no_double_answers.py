"""Nothing is answered twice, with a stale prompt, or by a plan that is over."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from pathlib import Path

from chimein_gui.domain.approvals import AskReason
from chimein_gui.domain.chats import TrustLevel
from chimein_gui.domain.tasks import TaskStatus
from chimein_gui.engine.composer import Composer
from chimein_gui.engine.plan_rejection import reject_rest
from chimein_gui.engine.variant_steps import NOTHING_LEFT
from chimein_gui.engine.variants import Regenerated
from tests.support.decision_room import QUICK
from tests.support.planning_room import PlanningRoom, planning_room

COMPOSED = "I answer this myself"


def composer(room: PlanningRoom) -> Composer:
    base = room.room
    return Composer(base.store, base.bus, base.conditions, lambda chat, _at: base.woken.append(chat))


async def test_a_plan_whose_model_has_not_seen_his_message_on_its_way_does_not_leave_by_itself(tmp_path: Path) -> None:
    """What the operator composes waits until the plan is made: no message in the chat tells the model of it."""
    async with planning_room(tmp_path, preferences=replace(QUICK, takeover_s=0)) as room:
        await room.room.written(1, out=True)
        await room.room.trust(TrustLevel.AUTO)
        gate = room.close_gate()
        await room.due("shall we meet?")
        job = await room.asking(1)
        await composer(room).write(room.room.chat_id, COMPOSED, client_id="press")
        gate.set()
        await job
        (draft,) = await room.drafts()
        assert draft.task_status is TaskStatus.AWAITING_DECISION
        assert AskReason.CHANGED in draft.reasons


async def test_a_variant_whose_model_has_not_seen_his_message_says_so_too(room: PlanningRoom) -> None:
    await room.plan()
    plan = (await room.graph()).graph_id
    await composer(room).write(room.room.chat_id, COMPOSED, client_id="press")
    made = await room.variants.regenerate(plan, "warmer")
    assert made.graph_id is not None, made.note
    variant = made.graph_id
    (draft,) = await room.room.do(lambda tx: tx.approvals.of_graph(variant))
    assert AskReason.CHANGED in draft.reasons


async def test_a_plan_that_is_rejected_during_a_regenerate_has_no_variant(room: PlanningRoom) -> None:
    await room.plan()
    plan = (await room.graph()).graph_id
    gate = room.close_gate()
    made: list[Regenerated] = []

    async def regenerate() -> None:
        made.append(await room.variants.regenerate(plan, "warmer"))

    job = room.jobs.spawn(regenerate(), name="regenerate")
    await room.model.asked(2)
    await room.room.do(lambda tx: reject_rest(tx, plan, "no", room.room.clock.now()))
    gate.set()
    await asyncio.gather(job)
    assert made == [Regenerated(None, NOTHING_LEFT)]
    assert await room.room.do(lambda tx: tx.tasks.current_of_chat(room.room.chat_id)) == ()
