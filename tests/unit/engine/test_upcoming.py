"""What happens next in all chats, and why nothing has been said yet."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime, time, timedelta
from pathlib import Path
from typing import Any

import pytest

from chimein_gui.domain.approvals import AskReason, Postpone
from chimein_gui.domain.chats import Chat, ChatSettings, MuteState, QuietHours, TrustLevel
from chimein_gui.domain.errors import RateLimitedError
from chimein_gui.domain.events import MessageStored
from chimein_gui.domain.holds import HoldScope
from chimein_gui.domain.ids import ChatId, MessageId, PeerId, Revision
from chimein_gui.domain.notes import Note, NoteKind, PlanningKind, PlanningProblem
from chimein_gui.domain.notes.upcoming import UpcomingReason
from chimein_gui.domain.plans.upcoming import Course, UpcomingEntry, UpcomingGroup
from chimein_gui.domain.settings.preferences import Preferences
from chimein_gui.domain.tasks import CancelReason, TaskKind, TaskStatus
from chimein_gui.engine.operator import upcoming
from chimein_gui.engine.operator.upcoming import EXAMINED_AT_ONCE, Upcoming
from chimein_gui.engine.ports import Transaction
from tests.fakes.telegram import MARTA
from tests.support.send_room import SendRoom, send_room

TYPES = Preferences(debounce_s=0, undo_s=10, countdown_s=10, typing_base_s=3, typing_s_per_60=0, chat_cap=1)
G, U = UpcomingGroup, UpcomingReason


async def told(room: SendRoom, mute: MuteState = MuteState.HEARD, **environment: Any) -> list[UpcomingEntry]:
    there = replace(room.environment, **environment)
    return list((await Upcoming(room.store, room.bus, there, lambda *_place: mute).load()).rows)


def said(room: SendRoom, entry: UpcomingEntry) -> tuple[object, ...]:
    kind = entry.reason.kind if entry.reason else entry.problem.kind if entry.problem else None
    return entry.group(room.clock.now()), kind, entry.until and round((entry.until - room.clock.now()).total_seconds())


async def settings(room: SendRoom, chat: ChatId, **changes: Any) -> None:
    await room.store.transact(lambda tx: tx.chats.set_settings(chat, ChatSettings(**changes)))


async def nothing(_room: SendRoom, _chat: ChatId) -> None:
    pass


async def held(room: SendRoom, chat: ChatId) -> None:
    await room.holds.hold(HoldScope.CHAT, int(chat))


async def offline(room: SendRoom, _chat: ChatId) -> None:
    await room.lose_connection()


async def released(room: SendRoom, chat: ChatId) -> None:
    await held(room, chat)
    await room.holds.release(HoldScope.CHAT, int(chat))


async def overslept(room: SendRoom, _chat: ChatId) -> None:
    room.clock.advance(2 * TYPES.misfire_s)


async def taken_over(room: SendRoom, chat: ChatId) -> None:
    until = room.clock.now() + timedelta(minutes=10)
    await room.store.transact(lambda tx: tx.chats.set_takeover(chat, until))


async def edited(room: SendRoom, chat: ChatId) -> None:
    room.editing.add(chat)


async def observed(room: SendRoom, chat: ChatId) -> None:
    await settings(room, chat, trust=TrustLevel.OBSERVE)


async def quiet(room: SendRoom, chat: ChatId) -> None:
    now = room.clock.now()
    hours = QuietHours(time(now.hour), time((now.hour + 2) % 24))
    await settings(room, chat, trust=TrustLevel.AUTO, quiet_hours=hours)


@pytest.mark.parametrize(
    ("hindrance", "group", "reason", "in_s", "course"),
    [
        (nothing, G.NOW, NoteKind.NOT_DUE, 10, Course.BY_ITSELF),
        (held, G.HELD, NoteKind.HELD, None, Course.STOPPED),
        (released, G.NEEDS_YOU, NoteKind.APPROVED_UNDER_HOLD, None, Course.IF_DECIDED),
        (overslept, G.NEEDS_YOU, NoteKind.OVERDUE, None, Course.IF_DECIDED),
        (offline, G.SOON, NoteKind.OFFLINE, None, Course.BY_ITSELF),
        (observed, G.NEEDS_YOU, NoteKind.SWITCHED, None, Course.IF_DECIDED),
    ],
)
async def test_why_an_approved_send_has_not_left(
    tmp_path: Path, hindrance: Any, group: UpcomingGroup, reason: NoteKind, in_s: int | None, course: Course
) -> None:
    async with send_room(tmp_path, preferences=TYPES) as room:
        chat = await room.chat()
        (draft,) = await room.plan(chat, "hi")
        await room.approve(draft)
        await hindrance(room, chat)
        (entry,) = await told(room)
        found = said(room, entry)
        assert found[:2] == (group, reason)
        assert in_s is None or found[2] == in_s
        assert (entry.course, entry.task_id, entry.agent_name) == (course, draft.task_id, "Nora Vale")
        if entry.course is Course.BY_ITSELF and entry.until and entry.since:
            assert entry.until - entry.since == timedelta(seconds=3), "it types for so long"


@pytest.mark.parametrize(
    ("hindrance", "group", "reason"),
    [
        (quiet, G.LATER, NoteKind.QUIET_HOURS),
        (edited, G.NOW, NoteKind.OPEN_EDITOR),
        (taken_over, G.NEEDS_YOU, NoteKind.TAKEN_OVER),
    ],
)
async def test_why_an_automatic_send_has_not_left(
    tmp_path: Path, hindrance: Any, group: UpcomingGroup, reason: NoteKind
) -> None:
    async with send_room(tmp_path, preferences=TYPES) as room:
        chat = await room.chat(trust=TrustLevel.AUTO)
        room.scheduler.wake = lambda *_: None  # type: ignore[method-assign]
        await room.plan(chat, "hi")
        await hindrance(room, chat)
        (entry,) = await told(room)
        assert said(room, entry)[:2] == (group, reason)


async def test_a_full_cap_and_a_wait_of_telegrams_are_named(tmp_path: Path) -> None:
    async with send_room(tmp_path, preferences=replace(TYPES, undo_s=0)) as room:
        chat, other = await room.chat(trust=TrustLevel.AUTO), await room.chat(PeerId(MARTA + 1))
        await room.plan(chat, "one")
        await room.pass_time(20)
        assert room.texts() == ["one"]
        await room.plan(chat, "two")
        (draft,) = await room.plan(other, "three")
        room.telegram.script.append(RateLimitedError("FLOOD_WAIT_42", 42, "send_text"))
        await room.execute(draft)
        await room.pass_time(4)
        rows = {entry.chat_id: entry for entry in await told(room)}
        found = {one: (entry.course, *said(room, entry)) for one, entry in rows.items()}
        card = rows[chat].approval
        assert found[chat][1] is G.NEEDS_YOU
        assert card is not None
        assert AskReason.CAP in card.reasons
        assert found[other][:3] == (Course.TELEGRAM, G.SOON, NoteKind.SERVER_WAIT)
        assert 30 <= int(str(found[other][3])) <= 42


async def test_the_steps_of_a_plan_follow_each_other_in_time(tmp_path: Path) -> None:
    async with send_room(tmp_path, preferences=TYPES) as room:
        chat, later = await room.chat(), await room.chat(PeerId(MARTA + 1))
        first, second = await room.plan(chat, "hi", "there")
        (postponed,) = await room.plan(later, "not now")
        await room.decide(postponed, Postpone(room.clock.now() + timedelta(hours=1)))

        def wait(tx: Transaction) -> None:
            due_at = room.clock.now() + timedelta(seconds=40)
            tx.tasks.save(replace(tx.tasks.get(second.task_id), depends_on=(first.task_id,)))
            tx.tasks.add(
                chat,
                TaskKind.WAIT,
                TaskStatus.WAITING,
                graph_id=first.graph_id,
                position=9,
                due_at=due_at,
                wait_s=60.0,
            )

        await room.store.transact(wait)
        rows = await told(room)
        assert [said(room, row) for row in rows] == [
            (G.NEEDS_YOU, None, 3),
            (G.NEEDS_YOU, None, 6),
            (G.SOON, None, 40),
            (G.LATER, NoteKind.POSTPONED, 3600),
        ]
        assert [row.course for row in rows[:3]] == [Course.IF_DECIDED, Course.IF_DECIDED, Course.BY_ITSELF]
        await room.approve(first)
        rows = await told(room)
        assert [(row.course, said(room, row)[2]) for row in rows[:2]] == [
            (Course.BY_ITSELF, 10),
            (Course.IF_DECIDED, 13),
        ]
        number = rows[2].task_id
        assert number is not None

        def put_behind(tx: Transaction) -> None:
            row = replace(tx.tasks.get(number), status=TaskStatus.PENDING, due_at=None)
            tx.tasks.save(replace(row, depends_on=(first.task_id,)))

        await room.store.transact(put_behind)
        await held(room, chat)
        assert [said(room, row)[:2] for row in await told(room)][:3] == [
            (G.HELD, NoteKind.HELD),
            (G.NEEDS_YOU, NoteKind.HELD),
            (G.HELD, NoteKind.HELD),
        ]


NO_KEY = PlanningProblem(PlanningKind.NO_KEY, fault=Note(NoteKind.NO_KEY))
RETRY = PlanningProblem(PlanningKind.RETRYING, attempt=2, of=10)


@pytest.mark.parametrize(
    ("received", "changes", "found"),
    [
        (TaskStatus.WAITING, {}, (G.NOW, U.DEBOUNCE, 8)),
        (TaskStatus.WAITING, {"slot": True}, (G.SOON, U.AWAITS_SLOT, None)),
        (TaskStatus.WAITING, {"takeover": 600}, (G.SOON, U.TAKEN_OVER, 600)),
        (TaskStatus.WAITING, {"trust": TrustLevel.OFF}, (G.STOPPED, U.TRUST_OFF, None)),
        (TaskStatus.WAITING, {"problem": NO_KEY}, (G.STOPPED, PlanningKind.NO_KEY, None)),
        (TaskStatus.WAITING, {"problem": RETRY}, (G.NOW, PlanningKind.RETRYING, 8)),
        (TaskStatus.RUNNING, {}, (G.NOW, U.PLANNING, None)),
        (None, {}, (G.STOPPED, U.NO_PLAN, None)),
        (None, {"trust": TrustLevel.OFF}, (G.STOPPED, U.TRUST_OFF, None)),
        (None, {"trust": TrustLevel.OBSERVE}, (G.STOPPED, U.OBSERVE_ONLY, None)),
        (None, {"takeover": 600}, (G.SOON, U.TAKEN_OVER, 600)),
        (None, {"problem": NO_KEY}, (G.STOPPED, PlanningKind.NO_KEY, None)),
        (None, {"may_write": False}, (G.STOPPED, U.MAY_NOT_WRITE, None)),
        (None, {"mute": MuteState.MUTED}, (G.STOPPED, CancelReason.MUTED, None)),
        (None, {"online": False}, (G.STOPPED, U.ACCOUNT_AWAY, None)),
        (None, {"over": True}, (G.STOPPED, U.LAST_PLAN_OVER, None)),
        (None, {"answered": True}, None),
    ],
    ids=str,
)
async def test_why_nothing_has_been_said_yet(
    tmp_path: Path, received: TaskStatus | None, changes: dict[str, Any], found: tuple[object, ...] | None
) -> None:
    async with send_room(tmp_path, online=changes.get("online", True)) as room:
        chat = await room.chat(trust=changes.get("trust"))
        if "over" in changes:
            (draft,) = await room.plan(chat, "hi")
            await room.decide(draft, Postpone(room.clock.now() + timedelta(hours=1)))

        def set_up(tx: Transaction) -> None:
            now = room.clock.now()
            if received is not None:
                tx.tasks.add(chat, TaskKind.RECEIVED, received, due_at=now + timedelta(seconds=8))
            if "takeover" in changes:
                tx.chats.set_takeover(chat, now + timedelta(seconds=changes["takeover"]))
            if "problem" in changes:
                tx.chats.set_planning_problem(chat, changes["problem"])
            if "over" in changes:
                row = tx.tasks.get(draft.task_id)
                tx.tasks.save(replace(row, status=TaskStatus.CANCELLED, reason=Note(CancelReason.SUPERSEDED)))
            if "answered" in changes:
                tx.chats.set_planned_up_to(chat, MessageId(10**6))
            tx.chats.set_may_write(chat, may_write=changes.get("may_write", True))

        await room.store.transact(set_up)
        slot = {"awaits_slot": lambda _chat: True} if "slot" in changes else {}
        rows = await told(room, changes.get("mute", MuteState.HEARD), **slot)
        assert [said(room, row) for row in rows] == ([] if found is None else [found])


async def test_many_silent_chats_are_searched_a_few_at_a_time_and_again_only_after_news(
    room: SendRoom, monkeypatch: pytest.MonkeyPatch
) -> None:
    chats = [await room.chat(PeerId(MARTA + number), known=False) for number in range(EXAMINED_AT_ONCE * 2 + 1)]
    searched: list[list[ChatId]] = []
    read = room.store.read

    async def in_turn(work: Any) -> Any:
        searched.append([])
        return await read(work)

    def search(_tx: Transaction, chat: Chat) -> tuple[MessageId, ...]:
        searched[-1].append(chat.chat_id)
        return (MessageId(1),)

    monkeypatch.setattr(room.store, "read", in_turn)
    monkeypatch.setattr(upcoming, "unanswered", search)
    reader = Upcoming(room.store, room.bus, room.environment, lambda *_place: MuteState.HEARD)
    assert len((await reader.load()).rows) == len(chats)
    assert [len(one) for one in searched] == [20, 20, 1, 0]
    message = room.telegram.store("and?", out=False, peer=MARTA)
    await room.keep(chats[0], message)
    room.bus.publish(MessageStored(chats[0], message, Revision(1)))
    searched.clear()
    await reader.load()
    assert searched == [[chats[0]], []]


async def test_messages_are_not_searched_where_a_step_is_open(room: SendRoom, monkeypatch: pytest.MonkeyPatch) -> None:
    chat = await room.chat()
    await room.plan(chat, "hi")
    await room.keep(chat, room.telegram.store("and?", out=False, peer=MARTA))
    monkeypatch.setattr(upcoming, "unanswered", lambda *_searched: pytest.fail("searched"))
    assert [entry.asks for entry in await told(room)] == [True]


def test_the_group_follows_the_time() -> None:
    now = datetime(2026, 11, 20, 14, 30).astimezone()
    entry = UpcomingEntry(ChatId(1), None, "", "", TrustLevel.AUTO, Course.BY_ITSELF)  # type: ignore[arg-type]
    groups = [replace(entry, until=now + timedelta(seconds=one)).group(now) for one in (-5, 15, 16, 900, 901)]
    assert groups == [G.NOW, G.NOW, G.SOON, G.SOON, G.LATER]


async def test_what_waits_for_the_operator_is_read_again_only_after_an_event_that_concerns_it(
    room: SendRoom, monkeypatch: pytest.MonkeyPatch
) -> None:
    chats = [await room.chat(PeerId(MARTA + number)) for number in range(3)]
    drafts = [(await room.plan(chat, "hi"))[0] for chat in chats]
    read: list[ChatId] = []
    steps = upcoming._steps

    def looked(tx: Transaction, chat_id: ChatId) -> Any:
        read.append(chat_id)
        return steps(tx, chat_id)

    monkeypatch.setattr(upcoming, "_steps", looked)
    reader = Upcoming(room.store, room.bus, room.environment, lambda *_place: MuteState.HEARD)
    first = (await reader.load()).rows
    assert sorted(read) == sorted(chats)
    assert [entry.asks for entry in first] == [True] * 3
    read.clear()
    assert (await reader.load()).rows == first
    assert read == []
    await room.decide(drafts[1], Postpone(room.clock.now() + timedelta(hours=1)))
    for _ in range(2):  # its time comes without an event
        later = (await reader.load()).rows
        assert read == [chats[1]]
        read.clear()
    assert [entry.approval and entry.approval.postponed_until is not None for entry in later] == [False, True, False]
    await room.holds.hold(HoldScope.ALL)
    held = (await reader.load()).rows
    assert sorted(read) == sorted(chats)
    assert all(entry.reason is not None and entry.reason.kind is NoteKind.HELD for entry in held)
