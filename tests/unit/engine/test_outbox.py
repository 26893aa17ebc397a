"""Around a send: typing, read marks, failpoints, an orderly end."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import TypeVar

from chimein_gui.domain.approvals import AskReason, Undo
from chimein_gui.domain.chats import TrustLevel
from chimein_gui.domain.errors import OutcomeUnknownError
from chimein_gui.domain.holds import Hold, HoldScope
from chimein_gui.domain.ids import PeerId
from chimein_gui.domain.notes import Note, NoteKind
from chimein_gui.domain.plans.planned_steps import PlannedStep
from chimein_gui.domain.settings.preferences import Preferences
from chimein_gui.domain.tasks import Origin, TaskKind, TaskStatus
from chimein_gui.engine.ports import Durability, GraphStanding, Transaction
from chimein_gui.engine.sending import confirmation as sends
from chimein_gui.engine.sending.claim import claim
from tests.fakes.telegram import HANG, LOSE, MARTA
from tests.support.send_room import SendRoom, send_room

T = TypeVar("T")
D = TaskStatus.DONE
TYPES = Preferences(debounce_s=0, undo_s=10, typing_base_s=3, typing_s_per_60=0, sticker_typing_s=4)


async def test_typing_is_shown_only_in_the_last_part_before_it_leaves(tmp_path: Path) -> None:
    async with send_room(tmp_path, preferences=TYPES) as room:
        (draft,) = await room.plan(await room.chat(), "hi")
        await room.approve(draft)
        await room.pass_time(6)
        assert room.telegram.typing == []
        await room.pass_time(1)
        assert room.telegram.typing == [MARTA]
        await room.pass_time(3)
        assert room.texts() == ["hi"]
        assert room.telegram.typing == [MARTA]


async def test_a_sticker_is_typed_4_s_and_a_deed_not_at_all(tmp_path: Path) -> None:
    async with send_room(tmp_path, preferences=replace(TYPES, undo_s=5.0)) as room:
        chat = await room.chat()
        sticker = room.telegram.put_sticker("cats", "😺")
        cat, block = await room.plan(
            chat, PlannedStep(TaskKind.STICKER, "😺", sticker=sticker), PlannedStep(TaskKind.BLOCK, "rude")
        )
        await room.execute(cat, block)
        assert room.telegram.typing == []
        await room.pass_time(1)
        assert room.telegram.typing == [MARTA]
        await room.pass_time(30)
        assert await room.status(cat, block) == [D, D]
        assert [action[0] for action in room.telegram.actions] == ["send_sticker", "block"]
        assert room.telegram.typing == [MARTA]


async def test_a_send_that_has_to_wait_and_one_that_types_do_not_take_turns_as_fast_as_they_can(tmp_path: Path) -> None:
    async with send_room(tmp_path, preferences=TYPES) as room:
        chat_id = await room.chat(trust=TrustLevel.AUTO)
        (automatic,) = await room.plan(chat_id, "by the rule")
        room.editing.add(chat_id)
        await room.pass_time(20)
        await room.plan(chat_id, "mine", origin=Origin.OPERATOR, standing=GraphStanding.BESIDE)
        async with asyncio.timeout(20):
            await room.pass_time(20)
        assert room.texts() == ["mine"]
        assert len(room.telegram.typing) <= 3
        room.editing.clear()
        room.wake(chat_id, room.clock.now())
        await room.worked_off()
        assert await room.status(automatic) == [D]


async def test_nothing_is_typed_for_what_was_taken_back_or_held(tmp_path: Path) -> None:
    async with send_room(tmp_path, preferences=TYPES) as room:
        one, two = await room.chat(), await room.chat(PeerId(MARTA + 1))
        (taken,) = await room.plan(one, "one")
        (held,) = await room.plan(two, "two")
        await room.approve(taken, held)
        await room.pass_time(5)
        await room.decide(taken, Undo())
        await room.holds.hold(HoldScope.CHAT, two)
        await room.pass_time(30)
        assert room.telegram.typing == []
        assert room.telegram.requests == []
        assert room.telegram.read == []


async def test_what_is_put_back_under_hold_ends_in_review(tmp_path: Path) -> None:
    async with send_room(tmp_path, online=False) as room:
        (draft,) = await room.plan(await room.chat(), "hi")
        await room.approve(draft)
        online = replace(room.environment, can_send=lambda _account: True)

        def work(tx: Transaction) -> None:
            claimed = claim(tx, draft.approval_id, online).claim
            assert claimed is not None
            tx.holds.put(Hold(HoldScope.ALL, 0, "stop", room.clock.now()))
            sends.put_back(tx, claimed.row.ledger_id, None, Note(NoteKind.WAITS_FOR_TELEGRAM), online, repeated=False)

        await room.store.transact(work)
        back = await room.get(draft)
        assert back.task_status is TaskStatus.AWAITING_DECISION
        assert AskReason.HELD in back.reasons


async def test_the_read_mark_goes_with_the_first_claim_and_not_with_a_repetition(room: SendRoom) -> None:
    (draft,) = await room.plan(await room.chat(), "hi")
    await room.worked_off()
    assert room.telegram.read == []
    room.telegram.script.append(OutcomeUnknownError("lost"))
    await room.execute(draft)
    assert room.telegram.read == [(MARTA, draft.covers_up_to)]
    await room.connect()
    await room.worked_off()
    assert await room.status(draft) == [D]
    assert len(room.telegram.read) == 1


async def test_an_orderly_end_waits_for_the_answer_and_begins_nothing(room: SendRoom) -> None:
    one, two = await room.plan(await room.chat(), "one", "two")
    room.telegram.script.append(HANG)
    await room.execute(one, two)
    closing = room.jobs.spawn(room.outbox.drain(3), name="drain")
    await room.worked_off()
    assert not closing.done()
    room.clock.advance(3)
    await closing
    room.clock.advance(17)
    await room.worked_off()
    await room.connect()
    await room.worked_off()
    assert await room.status(one, two) == [TaskStatus.UNKNOWN, TaskStatus.APPROVED]


async def test_whatever_changes_a_request_is_on_the_disk_before_anything_follows(room: SendRoom) -> None:
    """Else a power cut takes back what decides whether something was sent."""
    chat, real, changed = await room.chat(), room.store.transact, list[Durability]()
    one, two = await room.plan(chat, "one", "two")

    async def transact(work: Callable[[Transaction], T], *, durability: Durability = Durability.NORMAL) -> T:
        def watched(tx: Transaction) -> tuple[T, bool]:
            before = [tx.ledger.of_approval(card.approval_id) for card in (one, two)]
            result = work(tx)
            return result, before != [tx.ledger.of_approval(card.approval_id) for card in (one, two)]

        result, is_changed = await real(watched, durability=durability)
        changed.extend([durability] if is_changed else ())
        return result

    room.store.transact = transact  # type: ignore[method-assign]
    room.telegram.script.append(LOSE)
    await room.execute(one, two)
    await room.lose_connection()
    await room.worked_off()
    await room.back_online()
    await room.worked_off()
    assert await room.status(one, two) == [D, D]
    assert len(changed) >= len(["2 decisions", "claim", "unknown", "again", "sent", "claim", "sent"])
    assert set(changed) == {Durability.FULL}
