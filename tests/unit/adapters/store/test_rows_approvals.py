"""Approvals, the decision log and the ledger."""

from dataclasses import replace
from functools import partial

import pytest

from chimein_gui.domain.approvals import Approval, AskReason, Verdict
from chimein_gui.domain.errors import StoreError
from chimein_gui.domain.ids import AccountId, ApprovalId, LedgerId, MessageId, PeerId, RandomId, TaskId
from chimein_gui.domain.tasks import ApprovalState, LedgerState, Origin, TaskStatus
from chimein_gui.engine.ports import DecisionRecord, LedgerRow
from tests.unit.adapters.store.builders import ACCOUNT, NOW, PEER, approval_in, chat_in, later, opened, sql_of


def ledger_in(tx, approval, number, **changes):
    row = tx.ledger.prepare(approval, part=0, random_id=RandomId(number), origin=Origin.PLAN, text=approval.text)
    tx.ledger.save(replace(row, **changes))
    return replace(row, **changes)


def owner_of(tx, account_id, peer_id, number):
    return tx.ledger.owner_of(account_id, peer_id, MessageId(number))


async def test_a_new_approval_is_the_whole_snapshot(tmp_path):
    async with opened(tmp_path) as store:

        def work(tx):
            chat = chat_in(tx)
            approval = approval_in(tx, chat.chat_id, text="hello", due_at=later(5))
            return chat, tx.tasks.get(approval.task_id), approval

        chat, task, approval = await store.transact(work)
        again = await store.read(lambda tx: tx.approvals.get(approval.approval_id))
        same = await store.read(lambda tx: tx.approvals.of_task(task.task_id))
    assert approval == again == same
    assert approval == Approval(
        approval_id=approval.approval_id,
        task_id=task.task_id,
        graph_id=task.graph_id,
        chat_id=chat.chat_id,
        agent_id=chat.agent_id,
        account_id=ACCOUNT,
        peer_id=PEER,
        agent_name="Ada",
        chat_title="Partner 77",
        state=ApprovalState.OPEN,
        task_status=TaskStatus.AWAITING_DECISION,
        version=1,
        text="hello",
        draft_text="hello",
        reply_to_id=MessageId(3),
        reasons=(AskReason.FIRST_MESSAGE, AskReason.REVIEW),
        seen_up_to=MessageId(9),
        created_at=NOW,
        due_at=later(5),
    )


async def test_saving_writes_everything_but_the_task(tmp_path):
    async with opened(tmp_path) as store:

        def work(tx):
            approval = approval_in(tx, chat_in(tx).chat_id)
            changed = replace(
                approval,
                state=ApprovalState.APPROVED,
                version=4,
                text="edited",
                draft_text="redrafted",
                reply_to_id=None,
                reasons=(),
                seen_up_to=MessageId(2**40),
                due_at=later(1),
                decided_at=later(2),
                decided_by="operator",
                note="refused",
            )
            tx.approvals.save(replace(changed, task_status=TaskStatus.DONE))
            return changed, tx.approvals.get(approval.approval_id)

        changed, stored = await store.transact(work)
    assert stored == changed


async def test_unknown_approvals_are_not_found(tmp_path):
    async with opened(tmp_path) as store:
        approval = await store.transact(lambda tx: approval_in(tx, chat_in(tx).chat_id))
        for work in (
            lambda tx: tx.approvals.get(ApprovalId(9)),
            lambda tx: tx.approvals.of_task(TaskId(9)),
            lambda tx: tx.approvals.save(replace(approval, approval_id=ApprovalId(9))),
        ):
            with pytest.raises(LookupError, match="9"):
                await store.transact(work)


async def test_a_planned_send_has_one_approval(tmp_path):
    async with opened(tmp_path) as store:
        approval = await store.transact(lambda tx: approval_in(tx, chat_in(tx).chat_id))
        again = "INSERT INTO approvals SELECT approval_id + 1, task_id, state, version, text, draft_text, reply_to_id,"
        again += " reasons, seen_up_to, created_at, due_at, decided_at, decided_by, note, resolved_at FROM approvals"
        with pytest.raises(StoreError, match="UNIQUE"):
            await store.transact(lambda tx: sql_of(tx).run(again))
        assert await store.read(lambda tx: tx.approvals.waiting()) == (approval,)


async def test_waiting_lists_what_is_not_final_oldest_first(tmp_path):
    async with opened(tmp_path) as store:

        def work(tx):
            chats = [chat_in(tx, peer=peer).chat_id for peer in (1, 2)]
            made = [
                approval_in(tx, chats[number % 2], created_at=later(seconds))
                for number, seconds in enumerate((30, 10, 20, 10, 5))
            ]
            tx.tasks.save(replace(tx.tasks.get(made[4].task_id), status=TaskStatus.CANCELLED))
            tx.tasks.save(replace(tx.tasks.get(made[2].task_id), status=TaskStatus.SENDING))
            return made, [approval.approval_id for approval in tx.approvals.waiting()]

        made, found = await store.transact(work)
    assert found == [made[number].approval_id for number in (1, 3, 2, 0)]


async def test_resolved_ones_come_newest_first_and_an_undone_one_is_gone(tmp_path):
    clock = [NOW]
    async with opened(tmp_path, now=lambda: clock[0]) as store:

        async def change(approval, state, seconds):
            clock[0] = later(seconds)
            await store.transact(lambda tx: tx.approvals.save(replace(approval, state=state)))

        async def resolved(since, limit=9):
            rows = await store.read(lambda tx: tx.approvals.resolved_since(later(since), limit=limit))
            return [row.approval_id for row in rows]

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


async def test_the_decision_log_keeps_each_client_id_once(tmp_path):
    async with opened(tmp_path) as store:
        approval = await store.transact(lambda tx: approval_in(tx, chat_in(tx).chat_id))
        record = DecisionRecord("client-1", approval.approval_id, 1, "approve", "text", Verdict.ACCEPTED, later(3))
        await store.transact(lambda tx: tx.approvals.log_decision(record))
        assert await store.read(lambda tx: tx.approvals.decision_of("client-1")) == record
        assert await store.read(lambda tx: tx.approvals.decision_of("client-2")) is None
        with pytest.raises(StoreError, match="UNIQUE"):
            await store.transact(lambda tx: tx.approvals.log_decision(replace(record, text="other")))
        assert await store.read(lambda tx: tx.approvals.decision_of("client-1")) == record


async def test_a_prepared_row_holds_the_bytes_its_random_id_stands_for(tmp_path):
    async with opened(tmp_path) as store:

        def work(tx):
            approval = replace(approval_in(tx, chat_in(tx).chat_id), version=3)
            row = tx.ledger.prepare(
                approval, part=1, random_id=RandomId(-(2**63)), origin=Origin.OPERATOR, text="part two"
            )
            saved = replace(
                row, state=LedgerState.SENT, claimed_at=later(1), message_id=MessageId(2**40), error="nothing"
            )
            tx.ledger.save(saved)
            return approval, row, saved, tx.ledger.current(approval.approval_id)

        approval, row, saved, current = await store.transact(work)
    assert row == LedgerRow(
        row.ledger_id,
        approval.approval_id,
        3,
        1,
        RandomId(-(2**63)),
        LedgerState.PREPARED,
        Origin.OPERATOR,
        "part two",
        MessageId(3),
    )
    assert current == saved


async def test_a_random_id_is_used_once(tmp_path):
    async with opened(tmp_path) as store:
        approval = await store.transact(lambda tx: approval_in(tx, chat_in(tx).chat_id))
        await store.transact(lambda tx: ledger_in(tx, approval, 5))
        with pytest.raises(StoreError, match="random_id"):
            await store.transact(lambda tx: ledger_in(tx, approval, 5))


async def test_the_current_row_is_the_newest_that_counts(tmp_path):
    async with opened(tmp_path) as store:

        def work(tx):
            approval, other = approval_in(tx, chat_in(tx).chat_id), approval_in(tx, chat_in(tx).chat_id)
            seen = [tx.ledger.current(approval.approval_id)]
            ledger_in(tx, other, 99)
            rows = [
                ledger_in(tx, approval, number, state=state)
                for number, state in enumerate((LedgerState.PREPARED, LedgerState.UNKNOWN, LedgerState.FAILED))
            ]
            seen.append(tx.ledger.current(approval.approval_id))
            tx.ledger.save(replace(rows[1], state=LedgerState.VOID))
            seen.append(tx.ledger.current(approval.approval_id))
            return rows, seen

        rows, seen = await store.transact(work)
        with pytest.raises(LookupError, match="no ledger row 77"):
            await store.transact(lambda tx: tx.ledger.save(replace(rows[0], ledger_id=LedgerId(77))))
    assert seen == [None, rows[1], rows[0]]


async def test_the_owner_of_a_message_is_the_row_that_names_it(tmp_path):
    async with opened(tmp_path) as store:

        def work(tx):
            approval = approval_in(tx, chat_in(tx).chat_id)
            other = approval_in(tx, chat_in(tx, peer=5).chat_id)
            mine = ledger_in(tx, approval, 1, state=LedgerState.SENT, message_id=MessageId(40))
            ledger_in(tx, other, 2, state=LedgerState.SENT, message_id=MessageId(40))
            return mine, tx.approvals.get(approval.approval_id).message_id

        mine, message_id = await store.transact(work)
        assert message_id == 40
        for key, owner in (
            ((ACCOUNT, PEER, 40), mine),
            ((ACCOUNT, PEER, 41), None),
            ((ACCOUNT, PeerId(6), 40), None),
            ((AccountId(1), PEER, 40), None),
        ):
            account_id, peer_id, number = key
            assert await store.read(partial(owner_of, account_id=account_id, peer_id=peer_id, number=number)) == owner
