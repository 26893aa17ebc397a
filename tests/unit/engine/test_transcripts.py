"""One chat as the window reads it: windows around a message, words, and a revision that events come on top of."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest

from chimein_gui.domain.approvals import Reject
from chimein_gui.domain.errors import NotFoundError
from chimein_gui.domain.ids import ChatId, MessageId
from chimein_gui.domain.loaded import Loaded
from chimein_gui.domain.messages import Message
from chimein_gui.domain.plans.hidden_steps import HiddenKind
from chimein_gui.domain.tasks import TaskStatus
from chimein_gui.engine.library import transcripts
from chimein_gui.engine.library.transcripts import Transcripts
from tests.fakes.model import FakeModel
from tests.support.engine_room import engine_room
from tests.support.ingest_room import GROUP, PAUL, IngestRoom, ingest_room

COUNT = 20


@asynccontextmanager
async def reading(tmp_path: Path) -> AsyncIterator[tuple[IngestRoom, Transcripts, ChatId]]:
    """A DM whose messages 1 … 20 say their number, and a group with other words."""
    async with ingest_room(tmp_path) as room:
        for number in range(1, COUNT + 1):
            await room.says(f"number {number}" + (" Tee" if number % 5 == 0 else ""))
        await room.says("Tee in the group", peer=GROUP, by=PAUL)
        yield room, Transcripts(room.store), (await room.chat()).chat_id


def ids(loaded: Loaded[Message]) -> list[int]:
    return [row.key.message_id for row in loaded.rows]


async def test_windows_in_both_directions(tmp_path: Path) -> None:
    async with reading(tmp_path) as (_, it, chat_id):
        assert ids(await it.before(chat_id, None, 3)) == [18, 19, 20]
        assert ids(await it.before(chat_id, MessageId(4), 9)) == [1, 2, 3]
        assert ids(await it.after(chat_id, MessageId(17), 2)) == [18, 19]
        assert ids(await it.after(chat_id, MessageId(20), 2)) == []


@pytest.mark.parametrize(
    ("message_id", "limit", "expected"),
    [(10, 5, [8, 9, 10, 11, 12]), (10, 4, [8, 9, 10, 11]), (1, 4, [1, 2]), (20, 4, [18, 19, 20]), (99, 4, [19, 20])],
)
async def test_a_window_around_a_message(tmp_path: Path, message_id: int, limit: int, expected: list[int]) -> None:
    async with reading(tmp_path) as (_, it, chat_id):
        assert ids(await it.around(chat_id, MessageId(message_id), limit)) == expected


async def test_single_messages(tmp_path: Path) -> None:
    async with reading(tmp_path) as (_, it, chat_id):
        assert ids(await it.messages(chat_id, [MessageId(7), MessageId(99), MessageId(2)])) == [2, 7]
        assert ids(await it.messages(chat_id, [])) == []


async def test_a_search_reads_a_long_chat_piece_by_piece(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("FIRST_SEARCHED", "SEARCHED_AT_ONCE"):
        monkeypatch.setattr(transcripts, name, 3)
    async with reading(tmp_path) as (_, it, chat_id):
        assert ids(await it.search(chat_id, "tee")) == [20, 15, 10, 5]
        assert ids(await it.search(chat_id, "TEE number 1")) == [15, 10]
        assert ids(await it.search(chat_id, "tee", limit=2)) == [20, 15]
        assert ids(await it.search(chat_id, "tee", before_id=MessageId(15))) == [10, 5]
        assert ids(await it.search(chat_id, "   ")) == []
        assert ids(await it.search(chat_id, "tee", limit=0)) == []
        monkeypatch.setattr(transcripts, "MOST_SEARCHED", 6)
        assert ids(await it.search(chat_id, "tee")) == [20, 15]


async def test_every_answer_tells_its_revision_and_an_unknown_chat_is_refused(tmp_path: Path) -> None:
    asks: list[Callable[[Transcripts, ChatId], Awaitable[Loaded[Any]]]] = [
        lambda it, chat_id: it.before(chat_id, None, 1),
        lambda it, chat_id: it.after(chat_id, MessageId(1), 1),
        lambda it, chat_id: it.around(chat_id, MessageId(1), 1),
        lambda it, chat_id: it.messages(chat_id, []),
        lambda it, chat_id: it.search(chat_id, "tee"),
        lambda it, chat_id: it.search(chat_id, ""),
        lambda it, chat_id: it.steps(chat_id, since_id=MessageId(0), limit=5),
    ]
    async with reading(tmp_path) as (room, it, chat_id):
        now = await room.store.read(lambda tx: tx.revision)
        for ask in asks:
            assert (await ask(it, chat_id)).revision == now
            with pytest.raises(NotFoundError):
                await ask(it, ChatId(4711))


async def test_what_a_real_plan_did_invisibly_is_told_in_its_place(tmp_path: Path) -> None:
    reply = "# «remember»\nMarta likes tea\n\n# «send»\none\n\n# «wait»\ndelay: 5\n\n# «send»\ntwo"
    model = FakeModel()
    model.script.append(reply)
    async with engine_room(tmp_path, model=model) as room:
        asked = room.telegram.partner_writes("hello")
        first = await room.approval(TaskStatus.AWAITING_DECISION, "one")
        sent = await room.delivered(first, "one")
        await room.pass_time(6)
        await room.decide(room.newest(await room.approval(TaskStatus.AWAITING_DECISION, "two")), Reject())
        await room.worked_off()
        found = (await room.engine.transcripts.steps(sent.chat_id, since_id=MessageId(0), limit=9)).rows
        [answer] = [message for message in room.telegram.messages if message.out]
    assert [(step.kind, step.status, step.text) for step in found] == [
        (HiddenKind.REMEMBERED, TaskStatus.DONE, "Marta likes tea"),
        (HiddenKind.WAIT, TaskStatus.DONE, ""),
        (HiddenKind.SEND, TaskStatus.SKIPPED, "two"),
    ]
    assert [step.after_message_id for step in found] == [asked.key.message_id, *[answer.key.message_id] * 2]
    assert found[1].wait_s == 5


async def test_a_search_of_all_chats_gives_the_newest_and_looks_no_further_than_needed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with reading(tmp_path) as (room, it, chat_id):
        found = await it.search_everywhere("TEE")
        places = [(one.chat_id == chat_id, one.message.key.message_id) for one in found.rows]
        assert places == [(False, 21), (True, 20), (True, 15), (True, 10), (True, 5)]
        assert found.revision == await room.store.read(lambda tx: tx.revision)
        assert (await it.search_everywhere("  ")).rows == ()
        assert (await it.search_everywhere("tee", limit=0)).rows == ()
        assert [one.message.key.message_id for one in (await it.search_everywhere("tee", limit=2)).rows] == [21, 20]
        monkeypatch.setattr(transcripts, "LARGEST_PIECE", 3)
        assert len((await it.search_everywhere("tee")).rows) == 5
        monkeypatch.setattr(transcripts, "MOST_SEARCHED", 10)
        assert len((await it.search_everywhere("tee")).rows) < 5
