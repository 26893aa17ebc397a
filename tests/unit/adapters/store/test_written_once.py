"""A row that one piece of work makes and changes again is written once, and never later than anybody could look."""

import asyncio
from contextlib import suppress
from pathlib import Path

import pytest

from chimein_gui.domain.approvals import Approval, Verdict
from chimein_gui.domain.errors import NotFoundError, StoreError
from chimein_gui.domain.ids import ChatId, TaskId
from chimein_gui.domain.tasks import ApprovalState, TaskKind, TaskStatus
from chimein_gui.engine.ports import DecisionRecord, Store, Transaction
from tests.unit.adapters.store.builders import (
    NOW,
    Barrier,
    approval_in,
    chat_in,
    counting,
    later,
    opened,
    sent_at_once,
    sql_of,
    started,
    turn,
)


async def rows_of(store: Store, table: str) -> list[tuple[object, ...]]:
    return await store.read(lambda tx: list(sql_of(tx).all(f"SELECT * FROM {table}")))


async def test_what_is_made_and_changed_in_one_piece_of_work_is_written_once(tmp_path: Path) -> None:
    async with opened(tmp_path, now=lambda: later(9)) as store:
        chat_id = await store.transact(lambda tx: chat_in(tx).chat_id)
        await store.transact(lambda tx: (tx.chats.get(chat_id), sent_at_once(tx, chat_id, 1)))

        def again(tx: Transaction) -> tuple[Approval, list[str]]:
            seen = counting(tx)
            return sent_at_once(tx, chat_id, 2), seen

        known, seen = await store.transact(again)
        stored = await store.read(lambda tx: tx.approvals.get(known.approval_id))
        resolved = await store.read(lambda tx: tx.approvals.resolved_since(later(9), limit=9))
    written = [one.split("(")[0].split() for one in seen if one.lstrip().startswith(("INSERT", "UPDATE"))]
    tables = [words[2] if words[0] == "INSERT" else words[1] for words in written]
    assert tables == ["graphs", "graphs", "tasks", "approvals", "ledger", "decisions", "meta"]
    assert stored == known
    assert (known.state, known.task_status) == (ApprovalState.APPROVED, TaskStatus.SENDING)
    assert known.approval_id in {one.approval_id for one in resolved}


async def test_what_the_file_refuses_fails_the_work_that_wanted_it_and_no_other(store) -> None:
    chat_id = await store.transact(lambda tx: chat_in(tx).chat_id)

    def good(tx: Transaction) -> None:
        tx.tasks.add(chat_id, TaskKind.SEND, TaskStatus.APPROVED)

    def refused(tx: Transaction) -> None:
        tx.tasks.add(chat_id, TaskKind.SEND, TaskStatus.DONE)
        tx.tasks.add(ChatId(99), TaskKind.SEND, TaskStatus.DONE)

    async with Barrier(store):
        tasks = started(store.transact(good), store.transact(refused), store.transact(good))
        await turn()
    results = await asyncio.gather(*tasks, return_exceptions=True)
    stored = await rows_of(store, "tasks")
    known = await store.transact(lambda tx: tx.tasks.current_of_chat(chat_id))
    assert [isinstance(result, StoreError) for result in results] == [False, True, False]
    assert [row[0] for row in stored] == [task.task_id for task in known] == [1, 2]


async def test_a_client_id_that_is_there_is_refused_for_a_new_card_too(store) -> None:

    def work(tx: Transaction) -> None:
        chat_id = chat_in(tx).chat_id
        for _ in range(2):
            approval = approval_in(tx, chat_id)
            same = DecisionRecord("press", approval.approval_id, 1, "Approve", "", Verdict.ACCEPTED, NOW)
            with suppress(NotFoundError):
                tx.approvals.log_decision(same)

    with pytest.raises(StoreError):
        await store.transact(work)
    assert await rows_of(store, "decisions") == []


async def test_work_that_looks_away_from_a_refusal_is_taken_back_all_the_same(store) -> None:
    chat_id = await store.transact(lambda tx: chat_in(tx).chat_id)

    def looks_away(tx: Transaction) -> None:
        tx.tasks.add(ChatId(99), TaskKind.SEND, TaskStatus.DONE)
        tx.tasks.add(chat_id, TaskKind.SEND, TaskStatus.DONE)
        with suppress(StoreError):
            tx.tasks.chats_with_work()

    with pytest.raises(StoreError):
        await store.transact(looks_away)
    assert await rows_of(store, "tasks") == []
    await store.transact(lambda tx: tx.tasks.add(chat_id, TaskKind.SEND, TaskStatus.DONE))


async def test_a_number_that_fits_no_column_is_a_refusal_like_any_other(store) -> None:
    chat_id = await store.transact(lambda tx: chat_in(tx).chat_id)

    def looks_away(tx: Transaction) -> None:
        tx.tasks.add(chat_id, TaskKind.SEND, TaskStatus.APPROVED, position=2**63)
        tx.tasks.add(chat_id, TaskKind.SEND, TaskStatus.APPROVED)
        with suppress(OverflowError):
            tx.tasks.chats_with_work()

    with pytest.raises(OverflowError):
        await store.transact(looks_away)
    with pytest.raises(NotFoundError):
        await store.transact(lambda tx: tx.tasks.get(TaskId(2)))
