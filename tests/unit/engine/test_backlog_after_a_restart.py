"""The review of a backlog survives a restart: what was ticked is known from the store."""

from __future__ import annotations

from pathlib import Path

from chimein_gui.domain.approvals import Edit, Reject
from chimein_gui.domain.holds import HoldScope
from chimein_gui.domain.ids import PeerId
from tests.fakes.telegram import ACCOUNT, MARTA, FakeTelegram
from tests.support.send_room import SendRoom, send_room


async def seen(room: SendRoom) -> list[tuple[str, bool]]:
    backlog = await room.holds.load_backlog()
    return [(item.approval.text, item.ticked) for item in backlog.items]


async def test_the_ticks_of_a_backlog_survive_a_restart(tmp_path: Path) -> None:
    telegram = FakeTelegram()
    async with send_room(tmp_path, telegram=telegram) as room:
        chat, other = await room.chat(), await room.chat(PeerId(MARTA + 1))
        await room.holds.hold(HoldScope.ALL)
        undecided, ticked = await room.plan(chat, "undecided", "ticked")
        (stale,) = await room.plan(other, "stale")
        await room.approve(ticked, stale)
        assert await seen(room) == [], "what is held still is not to be reviewed yet"
        backlog = await room.holds.release(HoldScope.ALL)
        assert await seen(room) == [(item.approval.text, item.ticked) for item in backlog.items]
        await room.partner_writes(other, "one more thing")
    async with send_room(tmp_path, telegram=telegram) as room:
        assert sorted(await seen(room)) == [("stale", False), ("ticked", True), ("undecided", False)]
        cards = [item.approval for item in (await room.holds.load_backlog()).items if item.ticked]
        await room.backlog.confirm(ACCOUNT, cards, client_id="press")
        await room.decide(undecided, Reject())
        await room.pass_time(5)
        assert room.texts() == ["ticked"]
        assert await seen(room) == [("stale", False)]


async def test_a_tick_lives_through_another_hold_and_ends_with_an_edit(room: SendRoom) -> None:
    chat = await room.chat()
    (draft,) = await room.plan(chat, "mine")
    await room.holds.hold(HoldScope.ALL)
    await room.approve(draft)
    await room.holds.release(HoldScope.ALL)
    await room.holds.hold(HoldScope.CHAT, int(chat))
    assert await seen(room) == []
    again = await room.holds.release(HoldScope.CHAT, int(chat))
    assert [item.ticked for item in again.items] == [True]
    assert await seen(room) == [("mine", True)], "it is still what the operator had approved"
    await room.decide(draft, Edit("mine, half ty"))
    assert await seen(room) == [("mine, half ty", False)]
