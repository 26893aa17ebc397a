"""A frozen account may read: what became of a send without an answer is looked up as ever."""

from __future__ import annotations

from pathlib import Path

import pytest

from chimein_gui.domain.agents import Health
from chimein_gui.domain.approvals import AskReason
from chimein_gui.domain.errors import AccountFrozenError
from chimein_gui.domain.tasks import TaskStatus
from tests.fakes.telegram import HANG, LOSE, FakeTelegram
from tests.support.engine_room import engine_room


@pytest.mark.parametrize("answer", [HANG, LOSE])
async def test_what_has_no_answer_is_looked_up_while_the_account_is_frozen(tmp_path: Path, answer: str) -> None:
    telegram = FakeTelegram()
    async with engine_room(tmp_path, telegram=telegram) as room:
        telegram.script.append(answer)
        approval = await room.send_off()
        room.pull_the_plug()
        await room.jobs.aclose()
    telegram.frozen = True
    telegram.script.append(AccountFrozenError("Telegram has frozen this account.", "FROZEN_METHOD_INVALID"))
    async with engine_room(tmp_path, telegram=telegram, online=False) as room:
        await room.until(lambda: room.health() is Health.FROZEN)
        await room.pass_time(30)
        if answer == HANG:
            assert room.newest(approval).task_status is TaskStatus.DONE
        else:
            back = room.newest(approval)
            assert back.task_status is TaskStatus.AWAITING_DECISION
            assert AskReason.NOT_DELIVERED in back.reasons
        assert telegram.delivered() == (["answer 1"] if answer == HANG else [])
