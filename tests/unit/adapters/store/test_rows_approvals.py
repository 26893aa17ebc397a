"""Approvals: the whole snapshot, what waits, what was resolved."""

import gc
from dataclasses import replace

import pytest

from chimein_gui.domain.approvals import Approval, AskReason, Part
from chimein_gui.domain.errors import StoreError
from chimein_gui.domain.ids import MessageId
from chimein_gui.domain.tasks import FINAL, ApprovalState, LedgerState, TaskStatus
from tests.unit.adapters.store.builders import (
    NOW,
    approval_in,
    chat_in,
    graph_in,
    later,
    ledger_in,
    moved,
    opened,
    sql_of,
)


def ids(approvals):
    return [approval.approval_id for approval in approvals]


def test_the_parts_are_the_requests_that_count(tx):
    approval = approval_in(tx, chat_in(tx).chat_id)
    seen = [approval]
    ledger_in(tx, approval, 1, state=LedgerState.VOID)
    refused = ledger_in(tx, approval, 2, part=10, state=LedgerState.FAILED)
    ledger_in(tx, approval, 3, part=2, state=LedgerState.UNKNOWN)
    ledger_in(tx, approval, 4, part=1, state=LedgerState.SENT, message_id=MessageId(41))
    ledger_in(tx, approval, 5, state=LedgerState.SENT, message_id=MessageId(40))
    seen.append(tx.approvals.get(approval.approval_id))
    ledger_in(tx, approval, 6, part=10, state=LedgerState.PREPARED)
    tx.ledger.save(refused)
    before, some, anew = [*seen, tx.approvals.get(approval.approval_id)]
    assert (before.parts, before.message_id) == ((), None)
    sent = (Part(0, LedgerState.SENT, MessageId(40)), Part(1, LedgerState.SENT, MessageId(41)))
    assert some.parts == (*sent, Part(2, LedgerState.UNKNOWN), Part(10, LedgerState.FAILED))
    assert some.message_id == 41
    assert anew.parts == (*sent, Part(2, LedgerState.UNKNOWN), Part(10, LedgerState.PREPARED))


async def test_a_planned_send_has_one_approval(store):
    approval = await store.transact(lambda tx: approval_in(tx, chat_in(tx).chat_id))
    columns = "task_id, state, version, text, draft_text, reasons, seen_up_to, created_at, decided_by"
    again = f"INSERT INTO approvals ({columns}) SELECT {columns} FROM approvals"
    with pytest.raises(StoreError, match="UNIQUE"):
        await store.transact(lambda tx: sql_of(tx).run(again))
    assert await store.read(lambda tx: tx.approvals.waiting()) == (approval,)


def test_waiting_lists_what_is_not_final_oldest_first(tx):
    chats = [chat_in(tx, peer=peer).chat_id for peer in (1, 2)]
    made = [
        approval_in(tx, chats[number % 2], created_at=later(seconds))
        for number, seconds in enumerate((30, 10, 20, 10, 5))
    ]
    moved(tx, made[4].approval_id, TaskStatus.CANCELLED)
    moved(tx, made[2].approval_id, TaskStatus.SENDING)
    found = ids(tx.approvals.waiting())
    assert found == [made[number].approval_id for number in (1, 3, 2, 0)]


def test_what_waits_for_one_reason_is_found_by_it_and_by_no_other(tx):
    chat_id = chat_in(tx).chat_id
    made = [
        approval_in(tx, chat_id, created_at=later(seconds), reasons=reasons)
        for seconds, reasons in (
            (30, (AskReason.REVIEW, AskReason.HELD)),
            (20, (AskReason.REVIEW,)),
            (10, (AskReason.HELD,)),
            (5, (AskReason.HELD,)),
            (1, ()),
        )
    ]
    moved(tx, made[3].approval_id, TaskStatus.CANCELLED)
    found = {reason: ids(tx.approvals.waiting_for(reason)) for reason in AskReason}
    assert found.pop(AskReason.HELD) == [made[2].approval_id, made[0].approval_id]
    assert found.pop(AskReason.REVIEW) == [made[1].approval_id, made[0].approval_id]
    assert set(map(tuple, found.values())) == {()}


@pytest.mark.parametrize("status", TaskStatus)
def test_variants_that_are_not_chosen_do_not_wait_for_a_decision(tx, status):
    approval = approval_in(tx, chat_in(tx).chat_id, status=status)
    waiting = tx.approvals.waiting()
    of_chat = tx.approvals.of_chat(approval.chat_id)
    hidden = status in FINAL | {TaskStatus.PARKED, TaskStatus.PENDING}
    assert waiting == (() if hidden else (approval,))
    assert of_chat == (() if status in FINAL else (approval,))


def test_those_of_a_chat_come_in_plan_order(tx):
    chat_id = chat_in(tx).chat_id
    approval_in(tx, chat_in(tx, peer=2).chat_id)
    older, newer = graph_in(tx, chat_id), graph_in(tx, chat_id)
    made = [
        approval_in(tx, chat_id, graph_id=graph, position=position, status=status)
        for graph, position, status in (
            (newer, 1, TaskStatus.AWAITING_DECISION),
            (newer, 0, TaskStatus.PARKED),
            (older, 2, TaskStatus.UNKNOWN),
            (older, 0, TaskStatus.DONE),
        )
    ]
    made = ids(made)
    of_chat = ids(tx.approvals.of_chat(chat_id))
    of_graph = ids(tx.approvals.of_graph(older))
    assert of_chat == [made[2], made[1], made[0]]
    assert of_graph == [made[3], made[2]]


async def test_resolved_ones_come_newest_first_and_an_undone_one_is_gone(tmp_path):
    clock = [NOW]
    async with opened(tmp_path, now=lambda: clock[0]) as store:

        async def change(approval, state, seconds):
            clock[0] = later(seconds)
            await store.transact(lambda tx: tx.approvals.save(replace(approval, state=state)))

        async def resolved(since, limit=9):
            return ids(await store.read(lambda tx: tx.approvals.resolved_since(later(since), limit=limit)))

        a, b, c, d = [await store.transact(lambda tx: approval_in(tx, chat_in(tx).chat_id, text="x")) for _ in range(4)]
        assert await resolved(0) == []
        await change(a, ApprovalState.APPROVED, 10)
        await change(b, ApprovalState.REJECTED, 20)
        await change(c, ApprovalState.APPROVED, 30)
        assert await resolved(10) == [c.approval_id, b.approval_id, a.approval_id]
        assert await resolved(11) == [c.approval_id, b.approval_id]
        assert await resolved(0, limit=1) == [c.approval_id]
        await change(c, ApprovalState.OPEN, 40)
        await change(a, ApprovalState.SUPERSEDED, 50)
        await change(b, ApprovalState.REJECTED, 60)  # a new note only
        assert await resolved(0) == [a.approval_id, b.approval_id]
        clock[0] = later(70)
        auto = await store.transact(
            lambda tx: approval_in(tx, d.chat_id, state=ApprovalState.APPROVED, decided_at=later(70), decided_by="auto")
        )
        assert await resolved(0) == [auto.approval_id, a.approval_id, b.approval_id]


def _held():
    gc.collect()
    return sum(type(one) is Approval for one in gc.get_objects())


async def test_the_reader_holds_no_snapshots_though_it_never_returns_them_again(store):
    made = await store.transact(lambda tx: [approval_in(tx, chat_in(tx, peer=peer).chat_id) for peer in range(1, 21)])
    before = _held()
    for one in made:
        await store.read(lambda tx, number=one.approval_id: tx.approvals.get(number))
    assert _held() <= before + 1
