"""A muted DM asks for nothing: looked up beside the quiet window, with the whole engine."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from typing import ClassVar

import pytest

from chimein_gui.domain.ids import PeerId
from chimein_gui.domain.tasks import TaskStatus
from tests.fakes.telegram import MARTA, FakeGateway, FakeTelegram
from tests.support.engine_room import QUICK, engine_room

PREFERENCES = replace(QUICK, debounce_s=1.5)


class Counting(FakeGateway):
    """Counts what it is asked."""

    asked: ClassVar[list[PeerId]]

    async def muted_until(self, peer_id):
        self.asked.append(peer_id)
        return await super().muted_until(peer_id)


@pytest.fixture
def counting() -> type[Counting]:
    class Fresh(Counting):
        asked: ClassVar[list[PeerId]] = []

    return Fresh


async def test_a_muted_dm_is_not_planned_for_until_it_is_heard_again(tmp_path: Path, counting: type[Counting]) -> None:
    telegram = FakeTelegram(make=counting)
    telegram.muted[MARTA] = telegram.clock.now() + timedelta(seconds=100)
    async with engine_room(tmp_path, telegram=telegram, preferences=PREFERENCES) as room:
        for _ in range(5):
            telegram.partner_writes("psst")
            await room.pass_time(10)
        assert room.model.prompts == []
        assert counting.asked == [MARTA], "the answer counts for a minute"
        assert (await room.engine.load_chats()).rows[0].unread == 5
        await room.pass_time(60)
        telegram.partner_writes("now?")
        await room.reach(lambda: room.find(TaskStatus.AWAITING_DECISION))
        assert "Still unanswered" in room.model.prompts[-1].system_instruction
