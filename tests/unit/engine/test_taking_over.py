"""The operator takes a chat over at a press, before a word is written (SPEC §6, Takeover)."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path

from chimein_gui.domain.approvals import AskReason
from chimein_gui.domain.chats import TrustLevel
from chimein_gui.domain.notes import Note, NoteKind
from chimein_gui.domain.preferences import Preferences
from chimein_gui.domain.tasks import TaskStatus
from chimein_gui.engine.takeover import Takeovers
from tests.fakes.clock import START
from tests.support.ingest_room import ACCOUNT, IngestRoom, ingest_room


async def take_over(room: IngestRoom) -> None:
    takeovers = Takeovers(room.store, room.bus, room.conditions, lambda *_: None)
    await takeovers.begin((await room.chat()).chat_id)


async def test_a_press_pauses_the_agent_and_makes_nothing_stale(room: IngestRoom) -> None:
    draft = await room.draft(await room.says("hello"))
    await take_over(room)
    assert (await room.chat()).takeover_until == START + timedelta(minutes=30)
    assert not (await room.now(draft)).is_stale
    assert (await room.now(draft)).version == draft.version


async def test_a_countdown_comes_back_and_says_why(room: IngestRoom) -> None:
    await room.trust(TrustLevel.COUNTDOWN)
    await room.says("from before", by=ACCOUNT, is_automatic=True)
    draft = await room.draft(await room.says("hello"))
    assert draft.by_rule
    await take_over(room)
    back = await room.now(draft)
    assert back.task_status is TaskStatus.AWAITING_DECISION
    assert AskReason.TAKEOVER in back.reasons
    assert back.note == Note(NoteKind.TOOK_OVER)


async def test_what_the_operator_approved_stays_approved(room: IngestRoom) -> None:
    approved = await room.approved(await room.draft(await room.says("hello")))
    await take_over(room)
    assert (await room.now(approved)).task_status is TaskStatus.APPROVED


async def test_a_longer_pause_stays_and_a_pause_of_nothing_is_none(tmp_path: Path) -> None:
    async with ingest_room(tmp_path) as room:
        await take_over(room)
        room.clock.advance(-60)
        await take_over(room)
        assert (await room.chat()).takeover_until == START + timedelta(minutes=30)
    async with ingest_room(tmp_path / "second", Preferences(takeover_s=0)) as room:
        await room.says("hello")
        await take_over(room)
        assert (await room.chat()).takeover_until is None
