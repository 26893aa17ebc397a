"""A release opens a review of what lived through the hold, and sends nothing; the review survives a restart."""

from __future__ import annotations

from pathlib import Path

from chimein_gui.domain.approvals import AskReason, Edit, Reject, Verdict
from chimein_gui.domain.chats import TrustLevel
from chimein_gui.domain.events import BacklogOpened
from chimein_gui.domain.holds import HoldScope
from chimein_gui.domain.ids import AccountId, PeerId
from chimein_gui.domain.plans.planned_steps import PlannedStep
from chimein_gui.domain.tasks import TaskKind, TaskStatus
from tests.fakes.telegram import ACCOUNT, MARTA, FakeTelegram
from tests.support.send_room import SendRoom, send_room

D = TaskStatus.DONE
REVIEW = TaskStatus.AWAITING_DECISION


async def test_newest_chat_first_and_ticked_is_what_the_operator_approved_under_hold(room: SendRoom) -> None:
    old = await room.chat()
    (before,) = await room.plan(old, "approved before")
    await room.lose_connection()
    await room.approve(before)
    room.clock.advance(1)
    new = await room.chat(PeerId(MARTA + 1))
    await room.holds.hold(HoldScope.ALL)
    undecided, under = await room.plan(new, "undecided", "approved under hold")
    await room.approve(under)
    backlog = await room.holds.release(HoldScope.ALL)
    assert [chat.chat_id for chat in backlog.chats] == [new, old]
    assert [(item.approval.text, item.ticked) for item in backlog.items] == [
        ("undecided", False),
        ("approved under hold", True),
        ("approved before", False),
    ]
    assert await room.status(before, undecided, under) == [REVIEW] * 3
    assert all(AskReason.HELD in item.approval.reasons for item in backlog.items)
    assert [event.backlog for event in room.of(BacklogOpened)] == [backlog]
    await room.connect()
    await room.pass_time(10)
    assert room.telegram.requests == []


async def test_always_ask_and_stale_ones_are_not_ticked_and_not_confirmed_together(room: SendRoom) -> None:
    known, stranger, talking = (
        await room.chat(),
        await room.chat(PeerId(MARTA + 1), known=False),
        await room.chat(PeerId(MARTA + 2)),
    )
    await room.holds.hold(HoldScope.ALL)
    block, fine = await room.plan(known, PlannedStep(TaskKind.BLOCK), "fine")
    (first,) = await room.plan(stranger, "first message")
    (stale,) = await room.plan(talking, "stale")
    await room.approve(block, fine, first, stale)
    await room.partner_writes(talking, "one more thing")
    backlog = await room.holds.release(HoldScope.ALL)
    assert [item.approval.text for item in backlog.items if item.ticked] == ["fine"]
    cards = [await room.get(card) for card in (block, fine, first, stale)]
    outcomes = await room.backlog.confirm(ACCOUNT, cards, client_id="all of them")
    verdicts = {outcome.approval.approval_id: outcome.verdict for outcome in outcomes}
    accepted = [card for card, verdict in verdicts.items() if verdict is Verdict.ACCEPTED]
    assert accepted == [fine.approval_id]
    await room.worked_off()
    assert room.telegram.requests == [], "it still waits for the block before it"
    assert await room.status(block, first, stale) == [REVIEW] * 3


async def test_one_press_confirms_the_ticked_of_one_account_and_once(room: SendRoom) -> None:
    one, two = await room.chat(), await room.chat(PeerId(MARTA + 1))
    await room.holds.hold(HoldScope.ACCOUNT, ACCOUNT)
    (first,) = await room.plan(one, "first")
    (second,) = await room.plan(two, "second")
    await room.approve(first, second)
    backlog = await room.holds.release(HoldScope.ACCOUNT, ACCOUNT)
    cards = [item.approval for item in backlog.items]
    assert await room.backlog.confirm(AccountId(1), cards, client_id="another account") == ()
    await room.backlog.confirm(ACCOUNT, cards, client_id="press")
    await room.worked_off()
    await room.backlog.confirm(ACCOUNT, cards, client_id="press")
    await room.worked_off()
    assert sorted(room.texts()) == ["first", "second"]


async def test_a_card_that_changed_after_the_release_is_not_confirmed(room: SendRoom) -> None:
    chat = await room.chat()
    await room.holds.hold(HoldScope.ALL)
    (draft,) = await room.plan(chat, "draft")
    await room.approve(draft)
    backlog = await room.holds.release(HoldScope.ALL)
    await room.partner_writes(chat, "no, wait")
    (outcome,) = await room.backlog.confirm(ACCOUNT, [item.approval for item in backlog.items], client_id="too late")
    assert outcome.verdict in {Verdict.OUTDATED, Verdict.CHANGED}
    await room.pass_time(5)
    assert room.telegram.requests == []


async def test_a_plan_that_lived_through_a_hold_is_never_sent_by_a_rule(room: SendRoom) -> None:
    chat = await room.chat(trust=TrustLevel.AUTO)
    await room.holds.hold(HoldScope.ALL)
    one, _ = await room.plan(chat, "one", "two")
    backlog = await room.holds.release(HoldScope.ALL)
    assert [item.ticked for item in backlog.items] == [False, False]
    await room.pass_time(30)
    assert room.telegram.requests == []
    assert (await room.store.read(lambda tx: tx.graphs.get(one.graph_id))).lost_rule
    (fresh,) = await room.plan(chat, "planned after the release")
    await room.worked_off()
    assert await room.status(fresh) == [D], "a new plan has its rule again"


async def test_what_a_second_hold_still_covers_waits_for_its_release_and_stays_ticked(room: SendRoom) -> None:
    held, free = await room.chat(), await room.chat(PeerId(MARTA + 1))
    await room.holds.hold(HoldScope.ALL)
    (one,) = await room.plan(held, "one")
    (two,) = await room.plan(free, "two")
    await room.approve(one, two)
    room.clock.advance(10)
    await room.holds.hold(HoldScope.CHAT, held)
    first = await room.holds.release(HoldScope.ALL)
    assert [item.approval.text for item in first.items] == ["two"]
    assert await room.status(one) == [TaskStatus.APPROVED]
    await room.pass_time(5)
    assert room.telegram.requests == []
    second = await room.holds.release(HoldScope.CHAT, held)
    assert [(item.approval.text, item.ticked) for item in second.items] == [("one", True)]


async def test_a_hold_that_is_pressed_again_holds_since_the_first_time(room: SendRoom) -> None:
    await room.holds.hold(HoldScope.ALL, reason="lunch")
    (draft,) = await room.plan(await room.chat(), "approved under hold")
    await room.approve(draft)
    room.clock.advance(60)
    await room.holds.hold(HoldScope.ALL, reason="long lunch")
    assert [held.reason for held in (await room.holds.load()).rows] == ["long lunch"]
    backlog = await room.holds.release(HoldScope.ALL)
    assert [item.ticked for item in backlog.items] == [True]


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
