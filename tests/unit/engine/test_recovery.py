"""A start after the program ended in the middle of something."""

from __future__ import annotations

from pathlib import Path

import pytest

from chimein_gui.domain.approvals import AskReason
from chimein_gui.domain.failpoints import Failpoint
from chimein_gui.domain.tasks import TaskStatus
from tests.fakes.telegram import FakeTelegram
from tests.support.log_guard import ExpectedLogs
from tests.support.send_room import send_room

D = TaskStatus.DONE
LONG = "\n\n".join(letter * 3000 for letter in "abc")


class KilledError(BaseException):
    """Nothing of the program runs any more: no handler may catch this."""


async def test_a_half_sent_split_goes_to_review_when_the_conversation_went_on(
    tmp_path: Path, expected_logs: ExpectedLogs
) -> None:
    expected_logs(r"ERROR chimein_gui\.engine\.core\.jobs: Job chat 1 failed \(KilledError")
    telegram = FakeTelegram()

    def reach(here: Failpoint) -> None:
        if here is Failpoint.CONFIRMATION_COMMITTED:
            raise KilledError

    async with send_room(tmp_path, telegram=telegram, reach=reach) as room:
        chat = await room.chat()
        (draft,) = await room.plan(chat, LONG)
        await room.execute(draft)
        await room.partner_writes(chat, "stop")
    async with send_room(tmp_path, telegram=telegram) as room:
        await room.worked_off()
        back = await room.get(draft)
        assert back.task_status is TaskStatus.AWAITING_DECISION
        assert {AskReason.PARTLY_SENT, AskReason.CHANGED} <= set(back.reasons)
        assert len(telegram.requests) == 1


@pytest.mark.parametrize("point", [Failpoint.CLAIM_COMMITTED, Failpoint.ANSWERED, Failpoint.CONFIRMATION_COMMITTED])
@pytest.mark.parametrize("part", [1, 2, 3])
async def test_an_end_at_any_point_of_any_part_loses_nothing_and_sends_nothing_twice(
    tmp_path: Path, expected_logs: ExpectedLogs, point: Failpoint, part: int
) -> None:
    expected_logs(r"ERROR chimein_gui\.engine\.core\.jobs: Job chat 1 failed \(KilledError")
    telegram = FakeTelegram()
    reached: list[Failpoint] = []

    def reach(here: Failpoint) -> None:
        if reached.count(point) < part:
            reached.append(here)
        if reached.count(point) == part:
            raise KilledError

    async with send_room(tmp_path, telegram=telegram, reach=reach) as room:
        draft, behind = await room.plan(await room.chat(), LONG, "behind")
        await room.execute(draft, behind)
        assert reached.count(point) == part
    async with send_room(tmp_path, telegram=telegram) as room:
        await room.worked_off()
        assert [text[0] for text in room.texts()] == ["a", "b", "c", "b"]
        assert room.texts()[-1] == "behind"
        assert await room.status(draft, behind) == [D, D]
        rows = [*await room.rows(draft), *await room.rows(behind)]
        ours = [one.key.message_id for one in telegram.messages if one.out][1:]
        assert [row.message_id for row in rows] == ours, "the ledger is what the partner's mailbox holds"


@pytest.mark.parametrize(("slept_s", "leaves"), [(900, True), (901, False)])
async def test_what_is_overdue_after_a_sleep_goes_to_review_and_what_is_a_little_late_leaves(
    tmp_path: Path, slept_s: float, leaves: bool
) -> None:
    telegram = FakeTelegram()
    async with send_room(tmp_path, telegram=telegram, online=False) as room:
        late, _ = await room.plan(await room.chat(), "late", "behind it")
        await room.approve(late)
    telegram.clock.advance(slept_s)
    async with send_room(tmp_path, telegram=telegram) as room:
        await room.worked_off()
        assert room.texts() == (["late"] if leaves else [])
        card = await room.get(late)
        assert card.task_status is (D if leaves else TaskStatus.AWAITING_DECISION)
        assert (AskReason.OVERDUE in card.reasons) is not leaves
