"""What was claimed goes out part by part; whatever the answer is, it is recorded, and nothing leaves twice.

Between two parts of a text the operator may say no, in one way or another: the rest asks.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from chimein_gui.domain.approvals import Approval, AskReason, Reject
from chimein_gui.domain.chats import ChatSettings, TrustLevel
from chimein_gui.domain.errors import (
    AccountLimitedError,
    NotConnectedError,
    OutcomeUnknownError,
    RateLimitedError,
    SendRefusedError,
)
from chimein_gui.domain.failpoints import Failpoint
from chimein_gui.domain.holds import Hold, HoldScope
from chimein_gui.domain.ids import PeerId
from chimein_gui.domain.notes import Note, NoteKind
from chimein_gui.domain.tasks import LedgerState, TaskStatus
from chimein_gui.engine.operator.sent_messages import _deleted
from chimein_gui.engine.ports import Transaction
from chimein_gui.engine.tasks.graphs import reject_rest
from chimein_gui.engine.triggers.takeover import begin_takeover
from chimein_gui.viewmodels.words.notes import note_words
from tests.fakes.telegram import ACCOUNT, HANG, LOSE, MARTA
from tests.support.send_room import QUICK, SendRoom, send_room

D = TaskStatus.DONE
LONG = "\n\n".join(letter * 3000 for letter in "abc")
"""A text of three parts."""


async def test_an_approved_send_leaves_once_and_is_recorded(room: SendRoom) -> None:
    chat = await room.chat()
    (draft,) = await room.plan(chat, "**hi** there")
    await room.execute(draft)
    done = await room.get(draft)
    assert done.task_status is D
    assert room.texts() == ["hi there"]
    assert [entity.kind for entity in room.telegram.requests[0].entities] == ["bold"]
    (row,) = await room.rows(draft)
    assert (row.state, row.message_id) == (LedgerState.SENT, done.message_id)
    kept = await room.store.read(lambda tx: tx.chats.get(chat))
    assert kept.planned_up_to == kept.newest_in_id == draft.covers_up_to
    assert kept.unread == 0
    assert room.telegram.read == [(MARTA, draft.covers_up_to)]


async def test_a_long_text_leaves_in_parts_each_with_a_row_and_a_number_of_its_own(room: SendRoom) -> None:
    (draft,) = await room.plan(await room.chat(), LONG)
    await room.execute(draft)
    assert [text[0] for text in room.texts()] == ["a", "b", "c"]
    rows = await room.rows(draft)
    assert [(row.part, row.state) for row in rows] == [(part, LedgerState.SENT) for part in range(3)]
    assert len({row.random_id for row in rows}) == 3
    done = await room.get(draft)
    assert done.task_status is D
    assert [part.message_id for part in done.parts] == [row.message_id for row in rows]


async def test_part_2_of_3_unknown_blocks_part_3_until_it_is_found_out(room: SendRoom) -> None:
    draft, after = await room.plan(await room.chat(), LONG, "after it")
    room.telegram.script.extend(["", LOSE])
    await room.execute(draft, after)
    await room.pass_time(20)
    unknown = await room.get(draft)
    assert unknown.task_status is TaskStatus.UNKNOWN
    assert [part.state for part in unknown.parts] == [LedgerState.SENT, LedgerState.UNKNOWN, LedgerState.PREPARED]
    assert len(room.telegram.requests) == 2, "nothing overtakes what is unknown"
    assert not room.telegram.is_heard(), "the connection is dropped, so that nothing queued leaves"
    await room.connect()
    await room.worked_off()
    await room.pass_time(3)
    assert [text[0] for text in room.texts()] == ["a", "b", "c", "a"]
    first, again = room.telegram.requests[1:3]
    assert first.random_id == again.random_id
    assert await room.status(draft, after) == [D, D]


@pytest.mark.parametrize(("seconds", "goes_on"), [(60, True), (61, False)])
async def test_the_conversation_is_looked_at_again_when_60_s_passed_since_part_1(
    tmp_path: Path, seconds: int, goes_on: bool
) -> None:
    def go_on_talking(tx: Transaction) -> None:
        (approval,) = tx.approvals.waiting()
        tx.approvals.save(replace(approval, changed_at=tx.revision))

    def reach(point: Failpoint) -> None:
        if point is Failpoint.CONFIRMATION_COMMITTED and len(room.telegram.requests) == 1:
            room.store.submit(go_on_talking)
            room.clock.advance(seconds)

    async with send_room(tmp_path, reach=reach) as room:
        (draft,) = await room.plan(await room.chat(), LONG)
        await room.execute(draft)
        now = await room.get(draft)
        if goes_on:
            assert (now.task_status, len(room.texts())) == (D, 3)
        else:
            assert (now.task_status, len(room.texts())) == (TaskStatus.AWAITING_DECISION, 1)
            assert {AskReason.PARTLY_SENT, AskReason.CHANGED} <= set(now.reasons)


async def test_a_connection_lost_before_the_dispatch_puts_the_send_back(room: SendRoom) -> None:
    (draft,) = await room.plan(await room.chat(), "hi")
    room.telegram.script.append(NotConnectedError("gone"))
    await room.execute(draft)
    back = await room.get(draft)
    assert (back.task_status, back.note) == (TaskStatus.APPROVED, Note(NoteKind.WAITS_FOR_TELEGRAM))
    await room.pass_time(2)
    first, second = room.telegram.requests
    assert first.random_id == second.random_id
    assert await room.status(draft) == [D]
    assert (await room.get(draft)).note is None


async def test_a_refused_send_fails_with_words_and_takes_its_followers_along(room: SendRoom) -> None:
    one, two = await room.plan(await room.chat(), "one", "two")
    room.telegram.script.append(SendRefusedError("Marta has blocked this account", "USER_IS_BLOCKED"))
    await room.execute(one, two)
    assert await room.status(one, two) == [TaskStatus.FAILED, TaskStatus.CANCELLED]
    assert (await room.get(one)).note == Note(NoteKind.REFUSED, "USER_IS_BLOCKED")
    assert note_words((await room.get(one)).note) == "The partner has blocked this account."
    assert room.texts() == []


async def test_a_refused_part_2_says_that_part_1_was_sent(room: SendRoom) -> None:
    (draft,) = await room.plan(await room.chat(), LONG)
    room.telegram.script.extend(["", SendRefusedError("no more", "CHAT_RESTRICTED")])
    await room.execute(draft)
    failed = await room.get(draft)
    assert failed.task_status is TaskStatus.FAILED
    assert "Part 2 was refused" in note_words(failed.note)
    assert [row.state for row in await room.rows(draft)] == [LedgerState.SENT], "the third part will not leave"


async def test_a_limited_account_sends_the_card_back_and_its_automatic_ones_to_review(room: SendRoom) -> None:
    quiet, other = await room.chat(), await room.chat(PeerId(MARTA + 1), trust=TrustLevel.AUTO)
    (draft,) = await room.plan(quiet, "hi")
    room.telegram.script.append(AccountLimitedError("Telegram limits this account", "PEER_FLOOD"))
    await room.execute(draft)
    back = await room.get(draft)
    assert back.task_status is TaskStatus.AWAITING_DECISION
    assert AskReason.LIMITED in back.reasons
    assert await room.store.read(lambda tx: tx.accounts.limited(ACCOUNT)) == "PEER_FLOOD"
    assert back.note == Note(NoteKind.LIMITED, "PEER_FLOOD")
    (automatic,) = await room.plan(other, "by itself")
    await room.worked_off()
    assert await room.status(automatic) == [TaskStatus.AWAITING_DECISION]
    await room.execute(draft)
    assert room.texts() == ["hi"]


@pytest.mark.parametrize("answer", [HANG, LOSE, OutcomeUnknownError("connection lost")])
async def test_without_an_answer_within_20_s_it_is_unknown_and_the_connection_is_dropped(
    room: SendRoom, answer: str | Exception
) -> None:
    (draft,) = await room.plan(await room.chat(), "hi")
    room.telegram.script.append(answer)
    await room.execute(draft)
    if isinstance(answer, str):
        await room.pass_time(19)
        assert await room.status(draft) == [TaskStatus.SENDING]
        await room.pass_time(1)
    assert await room.status(draft) == [TaskStatus.UNKNOWN]
    assert not room.telegram.is_heard()


async def test_a_cancelled_dispatch_is_unknown(room: SendRoom) -> None:
    (draft,) = await room.plan(await room.chat(), "hi")
    room.telegram.script.append(LOSE)
    await room.execute(draft)
    assert await room.status(draft) == [TaskStatus.SENDING]
    await room.jobs.aclose()
    await room.worked_off()
    assert await room.status(draft) == [TaskStatus.UNKNOWN]


async def test_a_rejected_rest_leaves_what_was_sent(room: SendRoom) -> None:
    chat = await room.chat()
    (draft,) = await room.plan(chat, LONG)
    room.telegram.script.extend(["", RateLimitedError("FLOOD_WAIT", 30, "send_text")])
    await room.execute(draft)
    await room.partner_writes(chat, "stop")
    await room.pass_time(31)
    back = await room.get(draft)
    assert AskReason.PARTLY_SENT in back.reasons
    await room.decide(draft, Reject())
    await room.pass_time(5)
    assert await room.status(draft) == [TaskStatus.SKIPPED]
    assert len(room.texts()) == 1


Action = Callable[[Transaction, SendRoom, Approval], object]


def holds_everything(tx: Transaction, room: SendRoom, _card: Approval) -> None:
    tx.holds.put(Hold(HoldScope.ALL, 0, "stop", room.clock.now()))


def takes_over(tx: Transaction, room: SendRoom, card: Approval) -> None:
    begin_takeover(tx, tx.chats.get(card.chat_id), room.clock.now(), QUICK)


def switches_off(tx: Transaction, _room: SendRoom, card: Approval) -> None:
    tx.chats.set_settings(card.chat_id, ChatSettings(trust=TrustLevel.OFF))


def wants_to_review(tx: Transaction, _room: SendRoom, card: Approval) -> None:
    tx.chats.set_settings(card.chat_id, ChatSettings(trust=TrustLevel.REVIEW))


def rejects_the_plan(tx: Transaction, room: SendRoom, card: Approval) -> None:
    reject_rest(tx, card.graph_id, "no", room.clock.now())


def deletes_the_first_part(tx: Transaction, _room: SendRoom, card: Approval) -> None:
    (sent,) = (row.message_id for row in tx.ledger.of_approval(card.approval_id) if row.message_id is not None)
    _deleted(tx, chat_id=card.chat_id, ids=(sent,))


async def cut_short(room: SendRoom, monkeypatch: pytest.MonkeyPatch, action: Action, *, trust: TrustLevel) -> Approval:
    """Let a text leave, do something once its first part has; returns the card."""
    chat = await room.chat(trust=trust)
    draft, after = await room.plan(chat, LONG, "and this")
    real = room.outbox._dispatcher._reach

    def reach(point: Failpoint) -> None:
        real(point)
        if point is Failpoint.CONFIRMATION_COMMITTED and len(room.telegram.requests) == 1:
            room.clock.advance(1)
            room.store.submit(lambda tx: action(tx, room, draft))

    monkeypatch.setattr(room.outbox._dispatcher, "_reach", reach)
    if trust is TrustLevel.REVIEW:
        await room.approve(draft)
    await room.worked_off()
    assert await room.status(after) != [D]
    return await room.get(draft)


@pytest.mark.parametrize(
    ("action", "reason", "trust"),
    [
        (holds_everything, AskReason.HELD, TrustLevel.REVIEW),
        (takes_over, AskReason.TAKEOVER, TrustLevel.REVIEW),
        (takes_over, AskReason.TAKEOVER, TrustLevel.AUTO),
        (switches_off, AskReason.REVIEW, TrustLevel.REVIEW),
        (wants_to_review, AskReason.REVIEW, TrustLevel.AUTO),
        (rejects_the_plan, AskReason.CHANGED, TrustLevel.REVIEW),
        (deletes_the_first_part, AskReason.CHANGED, TrustLevel.REVIEW),
    ],
)
async def test_the_rest_of_a_text_that_nobody_wants_any_more_asks(
    room: SendRoom, monkeypatch: pytest.MonkeyPatch, action: Action, reason: AskReason, trust: TrustLevel
) -> None:
    card = await cut_short(room, monkeypatch, action, trust=trust)
    assert [part.state for part in card.parts] == [LedgerState.SENT, LedgerState.PREPARED, LedgerState.PREPARED]
    assert card.task_status is TaskStatus.AWAITING_DECISION
    assert {AskReason.PARTLY_SENT, reason} <= set(card.reasons)
    assert len(room.telegram.requests) == 1
    if action in {rejects_the_plan, deletes_the_first_part}:
        await room.execute(card)
        assert await room.status(card) == [D], "what he decides after all leaves whole"
        assert len(room.telegram.requests) == 3
