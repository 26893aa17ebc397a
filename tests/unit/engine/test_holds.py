"""Hold everything: nothing leaves, and pressing it drops what has no answer; trouble with the disk holds, too."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import TypeVar

import pytest

from chimein_gui.adapters.store import opening
from chimein_gui.domain.approvals import AskReason
from chimein_gui.domain.chats import TrustLevel
from chimein_gui.domain.errors import StoreWriteError
from chimein_gui.domain.events import BacklogOpened, HoldsChanged
from chimein_gui.domain.failpoints import Failpoint
from chimein_gui.domain.holds import HoldScope
from chimein_gui.domain.ids import ChatId, PeerId
from chimein_gui.domain.notes import Note, NoteKind
from chimein_gui.domain.settings.preferences import Preferences
from chimein_gui.domain.tasks import TaskStatus
from chimein_gui.engine.ports import Durability, Transaction
from chimein_gui.viewmodels.words.notes import hold_words
from tests.fakes.telegram import ACCOUNT, HANG, MARTA
from tests.support.send_room import SendRoom, send_room

T = TypeVar("T")
D = TaskStatus.DONE
APPROVED = TaskStatus.APPROVED
REVIEW = TaskStatus.AWAITING_DECISION
SCOPES = [HoldScope.ALL, HoldScope.ACCOUNT, HoldScope.CHAT]


def target_of(scope: HoldScope, chat: ChatId) -> int:
    return {HoldScope.ALL: 0, HoldScope.ACCOUNT: int(ACCOUNT), HoldScope.CHAT: int(chat)}[scope]


def fill_the_disk(room: SendRoom) -> Callable[[], None]:
    """From now on no commit works; returns what makes room again."""
    real = room.store.transact

    async def transact(work: Callable[[Transaction], T], *, durability: Durability = Durability.NORMAL) -> T:
        raise StoreWriteError("the disk is full")

    def make_room() -> None:
        room.store.transact = real  # type: ignore[method-assign]

    room.store.transact = transact  # type: ignore[method-assign]
    return make_room


@pytest.mark.parametrize("scope", SCOPES)
async def test_under_hold_nothing_leaves_and_decisions_are_approved_held(room: SendRoom, scope: HoldScope) -> None:
    chat = await room.chat()
    (draft,) = await room.plan(chat, "hi")
    await room.holds.hold(scope, target_of(scope, chat), "lunch")
    await room.approve(draft)
    await room.pass_time(30)
    held = await room.get(draft)
    assert (held.task_status, held.note) == (APPROVED, Note(NoteKind.APPROVED_HELD))
    assert (room.telegram.requests, room.telegram.typing, room.telegram.read) == ([], [], [])
    (hold,) = room.of(HoldsChanged)[-1].holds
    assert (hold.scope, hold.reason, hold.stored) == (scope, "lunch", True)


async def test_a_hold_of_one_chat_holds_no_other(room: SendRoom) -> None:
    held, free = await room.chat(), await room.chat(PeerId(MARTA + 1))
    await room.holds.hold(HoldScope.CHAT, held)
    (one,) = await room.plan(held, "one")
    (two,) = await room.plan(free, "two")
    await room.approve(one, two)
    await room.pass_time(5)
    assert room.texts() == ["two"]
    assert await room.status(one, two) == [APPROVED, D]
    await room.holds.release(HoldScope.ALL)
    assert room.of(BacklogOpened) == [], "all is not held, and the chat still is"
    assert await room.status(one) == [APPROVED]


async def test_pressing_hold_waits_for_the_answer_in_flight(room: SendRoom) -> None:
    (draft,) = await room.plan(await room.chat(), "hi")
    room.telegram.script.append(HANG)
    await room.execute(draft)
    pressing = room.jobs.spawn(room.holds.hold(HoldScope.ALL), name="hold")
    await room.worked_off()
    assert not pressing.done()
    assert await room.hear(draft.chat_id, room.telegram.messages[-1])
    await room.pass_time(2)
    assert not pressing.done()
    assert room.telegram.is_heard()
    await room.pass_time(1)
    assert pressing.done()
    assert not room.telegram.is_heard(), "what has no answer after 3 s must not leave any more"
    assert await room.status(draft) == [D]


async def test_without_anything_in_flight_the_connection_stays(room: SendRoom) -> None:
    chat, other = await room.chat(), await room.chat(PeerId(MARTA + 1))
    (draft,) = await room.plan(chat, "hi")
    room.telegram.script.append(HANG)
    await room.execute(draft)
    await room.holds.hold(HoldScope.CHAT, other)
    assert room.telegram.is_heard(), "what flies in another chat is not concerned"


async def test_countdowns_open_when_the_hold_is_pressed_and_the_plan_loses_its_rule(tmp_path: Path) -> None:
    countdown = Preferences(debounce_s=0, typing_base_s=0, typing_s_per_60=0, countdown_s=30)
    async with send_room(tmp_path, preferences=countdown) as room:
        chat = await room.chat(trust=TrustLevel.COUNTDOWN)
        (draft,) = await room.plan(chat, "in 30 s")
        await room.pass_time(10)
        assert await room.status(draft) == [APPROVED]
        await room.holds.hold(HoldScope.ALL, reason="stop")
        back = await room.get(draft)
        assert back.task_status is REVIEW
        assert AskReason.HELD in back.reasons
        await room.holds.release(HoldScope.ALL)
        await room.pass_time(60)
        assert room.telegram.requests == []
        graph = await room.store.read(lambda tx: tx.graphs.get(draft.graph_id))
        assert graph.lost_rule


async def test_a_hold_that_the_disk_does_not_take_holds_in_memory(room: SendRoom) -> None:
    (draft,) = await room.plan(await room.chat(), "hi")
    make_room = fill_the_disk(room)
    await room.holds.hold(HoldScope.ALL, reason="stop")
    make_room()
    await room.approve(draft)
    await room.pass_time(5)
    assert room.telegram.requests == []
    (held,) = (await room.holds.load()).rows
    assert (held.reason, held.failure is not None) == ("stop", True)


async def test_what_could_not_be_written_is_written_once_the_lock_is_gone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(opening, "LOCK_WAIT_S", 0.05)

    def reach(point: Failpoint) -> None:
        if point is Failpoint.ANSWERED:
            other.execute("BEGIN IMMEDIATE")

    with closing(sqlite3.connect(tmp_path / "chimein.db", isolation_level=None)) as other:
        other.execute("PRAGMA busy_timeout = 5000")
        async with send_room(tmp_path, reach=reach) as room:
            one, two = await room.plan(await room.chat(), "one", "two")
            await room.approve(one, two)
            while not (held := (await room.holds.load()).rows):  # a commit fails, and everything is held
                await room.store.read(lambda tx: None)
            assert "Another program has it locked" in hold_words(held[0])
            other.execute("ROLLBACK")
            await room.pass_time(10)
            assert await room.status(one, two) == [TaskStatus.DONE, TaskStatus.APPROVED]
            assert room.texts() == ["one"], "the next one is held"
            assert len(room.telegram.requests) == 1
