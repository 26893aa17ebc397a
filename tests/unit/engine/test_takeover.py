"""The operator writes himself: the agent pauses, drafts are stale, what he answered is answered."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from chimein_gui.domain.approvals import Approve, AskReason, Verdict
from chimein_gui.domain.chats import TrustLevel
from chimein_gui.domain.errors import RefusedError
from chimein_gui.domain.events import ChatChanged, EngineEvent, MessageStored
from chimein_gui.domain.ids import PeerId, Revision
from chimein_gui.domain.notes import Note, NoteKind
from chimein_gui.domain.settings.preferences import Preferences
from chimein_gui.domain.tasks import LedgerState, TaskStatus
from chimein_gui.engine.core.commits import UnitOfWork
from chimein_gui.engine.operator.decisions import DecisionService
from chimein_gui.engine.sending.claim import claim
from chimein_gui.engine.tasks.transitions import move_ledger
from chimein_gui.engine.triggers.takeover import Takeovers
from tests.fakes.clock import START
from tests.support.ingest_room import ACCOUNT, GROUP, IngestRoom, ingest_room

HALF_AN_HOUR = timedelta(minutes=30)


async def writes(room: IngestRoom, text: str = "I am here myself", **fields: Any) -> None:
    await room.says(text, by=ACCOUNT, **fields)


async def take_over(room: IngestRoom) -> None:
    """The operator takes the chat over at a press, before a word is written."""
    takeovers = Takeovers(room.unit, room.environment)
    await takeovers.begin((await room.chat()).chat_id)


async def test_a_message_from_another_device_pauses_the_agent_for_half_an_hour(room: IngestRoom) -> None:
    draft = await room.draft(await room.says("hello"))
    await writes(room)
    assert (await room.chat()).takeover_until == START + HALF_AN_HOUR
    assert AskReason.CHANGED in (await room.now(draft)).reasons
    shown = [event.chat.takeover_until for event in room.events if isinstance(event, ChatChanged)]
    assert shown[-1] == START + HALF_AN_HOUR


@pytest.mark.parametrize(("seconds", "until"), [(60, START + timedelta(seconds=60)), (0, None)])
async def test_how_long_is_the_operators_to_say(tmp_path: Path, seconds: int, until: datetime | None) -> None:
    async with ingest_room(tmp_path, Preferences(takeover_s=seconds)) as room:
        await writes(room)
        assert (await room.chat()).takeover_until == until
        await room.says("hello")
        await take_over(room)
        assert (await room.chat()).takeover_until == until


@pytest.mark.parametrize(
    "fields",
    [{"is_service": True}, {"is_automatic": True}, {"peer": PeerId(ACCOUNT)}],
    ids=["service", "scheduled or made by a bot", "Saved Messages"],
)
async def test_what_he_did_not_write_to_anybody_does_not_count(room: IngestRoom, fields: dict[str, Any]) -> None:
    asked = await room.says("hello")
    await writes(room, **fields)
    assert (await room.chat(fields.get("peer", PeerId(asked.key.peer_id)))).takeover_until is None
    assert await room.asked() == (asked.key.message_id,)


async def test_what_he_wrote_while_we_were_away_pauses_from_then(room: IngestRoom) -> None:
    await writes(room, sent_at=START - timedelta(minutes=20))
    assert (await room.chat()).takeover_until == START + timedelta(minutes=10)
    draft = await room.draft(await room.says("hello", peer=GROUP), peer=GROUP)
    await writes(room, peer=GROUP, sent_at=START - timedelta(hours=3))
    assert (await room.chat(GROUP)).takeover_until is None
    assert (await room.now(draft)).is_stale


async def test_giving_back_plans_nothing_where_all_is_answered_or_has_its_draft(room: IngestRoom) -> None:
    takeovers = Takeovers(room.unit, room.environment)
    await room.says("hello")
    await writes(room)
    await takeovers.resume((await room.chat()).chat_id)
    assert await room.received() is None
    await room.draft(await room.says("and now?"))
    received = await room.due_plan()
    await room.do(lambda tx: tx.tasks.save(replace(received, status=TaskStatus.DONE)))
    await takeovers.resume((await room.chat()).chat_id)
    assert await room.received() is None


async def test_an_approved_send_goes_back_and_one_approved_after_it_leaves(room: IngestRoom) -> None:
    approved = await room.approved(await room.draft(await room.says("hello")))
    await writes(room)
    room.clock.advance(10)
    assert (await room.do(lambda tx: claim(tx, approved.approval_id, room.environment))).claim is None
    back = await room.now(approved)
    assert back.task_status is TaskStatus.AWAITING_DECISION
    deciding = DecisionService(room.unit, room.environment)
    shown = {"expected_version": back.version, "seen_up_to": back.changed_at, "client_id": "all the same"}
    outcome = await deciding.decide(back.approval_id, decision=Approve(), **shown)  # type: ignore[arg-type]
    assert outcome.verdict is Verdict.ACCEPTED
    room.clock.advance(10)
    assert (await room.do(lambda tx: claim(tx, approved.approval_id, room.environment))).claim is not None


@pytest.mark.parametrize("is_known", [True, False], ids=["by its id", "by what it says"])
async def test_what_a_request_of_ours_sent_is_no_takeover(room: IngestRoom, is_known: bool) -> None:
    approved = await room.approved(await room.draft(await room.says("hello"), text="here I am"))
    room.clock.advance(10)
    result = await room.do(lambda tx: claim(tx, approved.approval_id, room.environment))
    claimed = result.claim
    assert claimed is not None
    message = room.message("here I am", by=ACCOUNT)
    if is_known:
        row = replace(claimed.row, message_id=message.key.message_id)
        await room.do(lambda tx: move_ledger(tx, row, LedgerState.SENT))
    room.listener.message_arrived((await room.chat()).info, message)
    await room.ingest.flush()
    assert (await room.chat()).takeover_until is None
    assert not (await room.now(approved)).is_stale
    if not is_known:
        assert (await room.now(approved)).task_status is TaskStatus.DONE


async def test_a_press_pauses_the_agent_and_makes_nothing_stale(room: IngestRoom) -> None:
    draft = await room.draft(await room.says("hello"))
    approved = await room.approved(draft)
    await take_over(room)
    assert (await room.chat()).takeover_until == START + HALF_AN_HOUR
    assert not (await room.now(draft)).is_stale
    assert await room.now(draft) == approved
    room.clock.advance(-60)
    await take_over(room)
    assert (await room.chat()).takeover_until == START + HALF_AN_HOUR, "a longer pause stays"


async def test_a_countdown_comes_back_at_a_press_and_says_why(room: IngestRoom) -> None:
    await room.trust(TrustLevel.COUNTDOWN)
    await room.says("from before", by=ACCOUNT, is_automatic=True)
    draft = await room.draft(await room.says("hello"))
    assert draft.by_rule
    await take_over(room)
    back = await room.now(draft)
    assert back.task_status is TaskStatus.AWAITING_DECISION
    assert AskReason.TAKEOVER in back.reasons
    assert back.note == Note(NoteKind.TOOK_OVER)


async def test_work_is_published_and_its_chat_woken_once_it_is_committed_and_only_then(room: IngestRoom) -> None:
    await room.says("hello")
    chat, happened = await room.chat(), list[object]()
    room.bus.subscribe(lambda event: happened.append(type(event)), ChatChanged, MessageStored)
    unit = UnitOfWork(room.store, room.bus, room.clock, lambda chat_id, at: happened.append((chat_id, at)))
    events: list[EngineEvent] = [
        ChatChanged(chat, Revision(1)),
        ChatChanged(chat, Revision(1)),
        MessageStored(chat.chat_id, room.message(), Revision(1)),
    ]

    def fail(_tx: object) -> list[EngineEvent]:
        raise RefusedError("not now")

    with pytest.raises(RefusedError):
        await unit.apply(fail)
    assert happened == []
    result = await unit.run(lambda _tx: (list(events), "done"), committed=happened.append)
    assert result == "done"
    assert happened == ["done", ChatChanged, ChatChanged, MessageStored, (chat.chat_id, room.clock.now())]
    happened.clear()
    await unit.run(lambda _tx: (list(events), None), wakes=False)
    await unit.record(lambda _tx: (list(events), None))
    assert happened == [ChatChanged, ChatChanged, MessageStored] * 2
