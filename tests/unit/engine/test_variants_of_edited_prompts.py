"""A message of the prompt is edited or deleted while a variant is being written: its drafts say so (SPEC §6)."""

from __future__ import annotations

from dataclasses import replace

import pytest

from chimein_gui.engine.ports import Transaction
from chimein_gui.engine.receiving import deleted, edited
from tests.support.planning_room import PlanningRoom
from tests.support.variant_jobs import begin, planned


@pytest.mark.parametrize("gone", [False, True], ids=["edited", "deleted"])
async def test_a_variant_knows_of_what_changed_during_its_call(room: PlanningRoom, gone: bool) -> None:
    earlier = await room.write("meet me at five")
    plan = await planned(room)
    gate = room.close_gate()
    job = begin(room, plan)
    await room.model.asked(2)
    rewritten = replace(earlier, text="meet me at nine", edited_at=room.room.clock.now())
    key = earlier.key

    def work(tx: Transaction) -> object:
        if gone:
            return deleted(tx, key.account_id, key.peer_id, (key.message_id,))
        return edited(tx, tx.chats.get(room.room.chat_id), rewritten)

    await room.room.do(work)
    gate.set()
    await job.task
    assert job.result is not None
    variant = job.result.graph_id
    assert variant is not None
    assert await room.variants.choose(variant) == ""
    cards = await room.drafts()
    assert cards
    assert all(card.is_stale for card in cards)
