"""Many transactions, one commit: isolation, order, durability, delivery."""

import asyncio
from functools import partial

import pytest

from chimein_gui.adapters.store import writer
from chimein_gui.domain.errors import StoreError
from chimein_gui.domain.ids import MessageId
from chimein_gui.engine.ports import Durability
from tests.unit.adapters.store.builders import (
    ACCOUNT,
    PEER,
    Barrier,
    chat_in,
    message,
    opened,
    pragma,
    put_in,
    sql_of,
    started,
    turn,
)

NORMAL, FULL = 1, 2


def synchronous(tx):
    return pragma(tx, "synchronous")


def put_number(tx, number):
    put_in(tx, chat_in(tx).chat_id, number)
    return number


async def stored_ids(store):
    rows = await store.read(lambda tx: tx.messages.before(ACCOUNT, PEER, before_id=None, limit=9999))
    return [row.key.message_id for row in rows]


async def test_one_full_item_makes_its_whole_batch_full(store):
    alone = await store.transact(synchronous)
    async with Barrier(store):
        tasks = started(
            store.transact(synchronous),
            store.transact(synchronous, durability=Durability.FULL),
            store.transact(synchronous),
        )
        await turn()
    assert await asyncio.gather(*tasks) == [FULL] * 3
    assert (alone, await store.transact(synchronous)) == (NORMAL, NORMAL)


async def test_what_is_queued_together_is_committed_and_delivered_together(store, monkeypatch):
    loop = asyncio.get_running_loop()
    commits: list[str] = []
    deliveries: list[object] = []
    await store.transact(lambda tx: sql_of(tx)._connection.set_trace_callback(commits.append))
    original = loop.call_soon_threadsafe

    def counting(callback, *values, **options):
        deliveries.append(callback)
        return original(callback, *values, **options)

    async with Barrier(store):
        tasks = started(*(store.transact(lambda tx: tx.revision) for _ in range(300)))
        await turn()
        commits.clear()
        monkeypatch.setattr(loop, "call_soon_threadsafe", counting)
    revisions = await asyncio.gather(*tasks)
    monkeypatch.undo()
    assert revisions == list(range(revisions[0], revisions[0] + 300))
    # The barrier's own batch, then all the others.
    assert len(deliveries) == 2
    assert commits.count("COMMIT") == 2


@pytest.mark.parametrize(("late_s", "expected"), [(60.0, 1), (-1.0, 2)])
async def test_what_comes_while_a_full_batch_runs_shares_its_commit(tmp_path, monkeypatch, late_s, expected):
    monkeypatch.setattr(writer, "LATE_S", late_s)
    async with opened(tmp_path) as store:
        commits: list[str] = []
        await store.transact(lambda tx: sql_of(tx)._connection.set_trace_callback(commits.append))
        commits.clear()
        async with Barrier(store, Durability.FULL):
            tasks = started(*(store.transact(lambda tx: tx.revision) for _ in range(3)))
            await turn()
        revisions = await asyncio.gather(*tasks)
        assert revisions == list(range(revisions[0], revisions[0] + 3))
        assert commits.count("COMMIT") == expected


async def test_the_end_may_come_while_a_full_batch_runs(tmp_path, monkeypatch):
    monkeypatch.setattr(writer, "LATE_S", 60.0)
    async with opened(tmp_path) as store:
        async with Barrier(store, Durability.FULL):
            tasks = started(store.transact(partial(put_number, number=1)), store.aclose())
            await turn()
        assert (await asyncio.gather(*tasks))[0] == 1
    async with opened(tmp_path) as store:
        assert await stored_ids(store) == [MessageId(1)]


async def test_a_batch_has_a_bound(store):
    commits: list[str] = []
    async with Barrier(store):
        store.submit(lambda tx: sql_of(tx)._connection.set_trace_callback(commits.append))
        tasks = started(*(store.transact(lambda tx: tx.revision) for _ in range(1100)))
        await turn()
    await asyncio.gather(*tasks)
    assert commits.count("COMMIT") == 3


async def test_work_that_fails_takes_only_itself_back(tmp_path):
    def good(number):
        return lambda tx: tx.messages.put(chat_in(tx).chat_id, message(number))

    def bad(tx):
        tx.messages.put(chat_in(tx).chat_id, message(50))
        raise ZeroDivisionError("mine")

    def refused(tx):
        tx.messages.put(chat_in(tx).chat_id, message(51))
        sql_of(tx).run("INSERT INTO nothing VALUES (1)")

    async with opened(tmp_path) as store:
        async with Barrier(store):
            tasks = started(*map(store.transact, (good(1), bad, good(2), refused, good(3))))
            await turn()
        results = await asyncio.gather(*tasks, return_exceptions=True)
        assert await stored_ids(store) == [1, 2, 3]
    assert [result for result in results if result is True] == [True] * 3
    assert isinstance(results[1], ZeroDivisionError)
    assert type(results[3]) is StoreError


async def test_each_failure_among_many_takes_only_itself_back(store):
    """More work than savepoints are open at a time."""
    count = 3 * writer.MOST_OPEN + 5
    bad = {0, 1, 7, writer.MOST_OPEN - 1, writer.MOST_OPEN, writer.MOST_OPEN + 1, 2 * writer.MOST_OPEN, count - 1}

    def work(tx, number):
        tx.messages.put(chat_in(tx).chat_id, message(number + 1))
        if number in bad:
            raise ZeroDivisionError(str(number))

    async with Barrier(store):
        tasks = started(*(store.transact(partial(work, number=number)) for number in range(count)))
        await turn()
    results = await asyncio.gather(*tasks, return_exceptions=True)
    assert {at for at, result in enumerate(results) if isinstance(result, ZeroDivisionError)} == bad
    assert sorted(await stored_ids(store)) == [number + 1 for number in range(count) if number not in bad]


async def test_work_may_catch_a_refusal_and_go_on(store):
    def work(tx):
        with pytest.raises(StoreError):
            sql_of(tx).run("INSERT INTO meta VALUES (1, 1)")
        return tx.messages.put(chat_in(tx).chat_id, message(1))

    assert await store.transact(work)
    assert await stored_ids(store) == [1]


async def test_a_cancelled_caller_does_not_take_the_work_back(store):
    async with Barrier(store):
        (task,) = started(store.transact(lambda tx: tx.messages.put(chat_in(tx).chat_id, message(1))))
        await turn()
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
    assert await store.transact(lambda tx: tx.messages.newest_id(ACCOUNT, PEER)) == 1


async def test_a_failure_nobody_waits_for_is_logged(store, expected_logs):
    expected_logs(r"ERROR chimein_gui\.adapters\.store\.jobs: .*division")
    expected_logs(r"ERROR chimein_gui\.adapters\.store\.jobs: .*cancelled caller")

    def fails(tx):
        raise LookupError("cancelled caller")

    store.submit(lambda tx: 1 // 0)
    async with Barrier(store):
        (task,) = started(store.transact(fails))
        await turn()
        task.cancel()
    await store.transact(lambda tx: None)


async def test_revisions_rise_over_failures_and_restarts(tmp_path):
    seen = []

    def note(tx):
        seen.append(tx.revision)
        return tx.revision

    def fail(tx):
        note(tx)
        raise ZeroDivisionError

    for _ in range(3):
        async with opened(tmp_path) as store:
            committed = await store.transact(note)
            with pytest.raises(ZeroDivisionError):
                await store.transact(fail)
            assert await store.read(lambda tx: tx.revision) >= committed
            async with Barrier(store):
                tasks = started(store.transact(fail), store.transact(note))
                await turn()
            results = await asyncio.gather(*tasks, return_exceptions=True)
            assert isinstance(results[0], ZeroDivisionError)
            assert await store.read(lambda tx: tx.revision) == results[1]
    assert seen == sorted(set(seen))


async def test_closing_finishes_what_is_queued_and_refuses_what_comes_after(tmp_path, expected_logs):
    expected_logs("ERROR .*after the store was closed")
    async with opened(tmp_path) as store:
        async with Barrier(store):
            tasks = started(
                *(store.transact(partial(put_number, number=number)) for number in range(1, 40)),
                store.read(lambda tx: tx.revision),
            )
            await turn()
            closing = started(store.aclose(), store.aclose())
            await turn()
        await asyncio.gather(*closing)
        assert all(task.done() for task in tasks)
        assert [task.result() for task in tasks[:-1]] == list(range(1, 40))
        with pytest.raises(StoreError, match="closed"):
            await store.transact(lambda tx: None)
        with pytest.raises(StoreError, match="closed"):
            await store.read(lambda tx: None)
        store.submit(lambda tx: None)
    assert [file.name for file in tmp_path.iterdir()] == ["chimein.db"]
    async with opened(tmp_path) as store:
        assert await stored_ids(store) == [MessageId(number) for number in range(1, 40)]


async def test_closing_may_be_cancelled_and_repeated(store):
    async with Barrier(store):
        (closing,) = started(store.aclose())
        await turn()
        closing.cancel()
        with pytest.raises(asyncio.CancelledError):
            await closing
    await store.aclose()
    with pytest.raises(StoreError, match="closed"):
        await store.transact(lambda tx: None)


async def test_an_error_at_the_very_end_is_logged(tmp_path, expected_logs, monkeypatch):
    expected_logs("ERROR chimein_gui.adapters.store.lane: store-writer ended with an error: broken")

    def broken(_connection):
        raise ZeroDivisionError("broken")

    monkeypatch.setattr(writer, "_checkpoint", broken)
    async with opened(tmp_path) as store:
        assert await store.transact(lambda tx: put_number(tx, 1)) == 1


async def test_a_bug_in_the_store_itself_leaves_nobody_waiting(store, monkeypatch):
    with monkeypatch.context() as patch:
        patch.delattr(writer.Writer, "_begin")
        with pytest.raises(AttributeError, match="_begin"):
            await store.transact(lambda tx: None)
    assert await store.transact(lambda tx: put_number(tx, 1)) == 1
