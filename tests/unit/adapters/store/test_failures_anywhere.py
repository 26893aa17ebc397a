"""Whichever statement fails: what was called stored is in the file, all else is not, and nothing else is known."""

import asyncio
import sqlite3
from contextlib import suppress
from itertools import count
from typing import Any

import pytest

from chimein_gui.adapters.store.sql import Sql
from chimein_gui.adapters.store.transaction import SqliteTransaction
from chimein_gui.domain.errors import StoreError, StoreWriteError
from chimein_gui.domain.ids import ApprovalId, ChatId, MessageId
from chimein_gui.engine.ports import Durability, Store, Transaction
from tests.unit.adapters.store.builders import (
    ACCOUNT,
    NOW,
    PEER,
    Barrier,
    chat_in,
    message,
    sent_at_once,
    sql_of,
    started,
    turn,
)


class Failing:
    """A connection one of whose next statements fails, after SQLite has ended the transaction or not."""

    def __init__(self, real: sqlite3.Connection) -> None:
        self.real = real
        self.error: Exception | None = None
        self.ends_it = False
        self.left = 0

    def __getattr__(self, name: str) -> Any:
        return getattr(self.real, name)

    def execute(self, statement: str, values: tuple[Any, ...] = ()) -> sqlite3.Cursor:
        self.left -= 1
        if self.error is None or self.left >= 0:
            return self.real.execute(statement, values)
        error, self.error = self.error, None
        if self.ends_it:
            self.real.rollback()
        raise error


def file_error(code: int) -> sqlite3.Error:
    error = sqlite3.OperationalError("it fails")
    error.sqlite_errorcode = code
    return error


def cycle(tx: Transaction, chat_id: ChatId, number: int) -> None:
    tx.messages.put(chat_id, message(number))
    tx.chats.set_answered_up_to(chat_id, MessageId(number))
    sent_at_once(tx, chat_id, number)


def looks_away(tx: Transaction, chat_id: ChatId, number: int) -> StoreError | None:
    """Return the error that it has swallowed, as a result like any other."""
    swallowed = None
    try:
        tx.messages.put(chat_id, message(number))
    except StoreError as error:
        swallowed = error
    with suppress(StoreError):
        tx.chats.set_answered_up_to(chat_id, MessageId(number))
    return swallowed


def fails(tx: Transaction, chat_id: ChatId, number: int) -> None:
    cycle(tx, chat_id, number)
    raise ZeroDivisionError


def known(tx: Transaction, chat_id: ChatId) -> list[object]:
    """Say all of a chat; first what may be known, so that nothing is written down before it is asked."""
    chat, steps = tx.chats.get(chat_id), tx.tasks.current_of_chat(chat_id)
    messages = tx.messages.before(ACCOUNT, PEER, before_id=None, limit=9999)
    found: list[object] = [chat, steps, messages, tx.graphs.current_of(chat_id)]
    for (number,) in sql_of(tx).all("SELECT approval_id FROM approvals"):
        found += [tx.approvals.get(ApprovalId(number)), tx.ledger.of_approval(ApprovalId(number))]
    return found


async def stored(store: Store) -> set[int]:
    found = await store.read(lambda tx: tx.messages.before(ACCOUNT, PEER, before_id=None, limit=9999))
    return {one.key.message_id for one in found}


async def one_batch(
    store: Store, chat_id: ChatId, first: int, failing: Failing, place: int, error: Exception
) -> list[object]:
    """Run four works in one batch, one of which fails by itself; at some place a statement fails."""
    works = (cycle, fails, looks_away, cycle)
    async with Barrier(store, Durability.FULL):
        calls = [
            store.transact(lambda tx, work=work, at=first + place: work(tx, chat_id, at))  # type: ignore[misc]
            for place, work in enumerate(works)
        ]
        tasks = started(*calls)
        await turn()
        failing.left, failing.error = place, error
    return await asyncio.gather(*tasks, return_exceptions=True)


@pytest.mark.parametrize(
    ("error", "ends_it"),
    [
        (file_error(sqlite3.SQLITE_FULL), True),
        (file_error(sqlite3.SQLITE_IOERR_FSYNC), False),
        (MemoryError(), True),
        (MemoryError(), False),
        (file_error(sqlite3.SQLITE_ERROR), False),
    ],
)
async def test_whichever_statement_fails(store, expected_logs: Any, error: Exception, ends_it: bool) -> None:
    expected_logs("ERROR .*nobody waits for failed")  # the barrier's own work may be in the batch
    failing = await store.transact(broken)
    failing.ends_it = ends_it
    chat_id = await store.transact(lambda tx: chat_in(tx).chat_id)
    await store.transact(lambda tx: known(tx, chat_id))
    for place in count():
        first = 10 * (place + 1)
        results = await one_batch(store, chat_id, first, failing, place, error)
        is_over, failing.error = failing.error is not None, None
        there = await stored(store)
        told = [result is None for result in results]
        assert [first + at in there for at in (0, 1, 3)] == [told[at] for at in (0, 1, 3)], (place, results)
        is_of_file = getattr(error, "sqlite_errorcode", None) != sqlite3.SQLITE_ERROR
        assert told[2] is (first + 2 in there) or not is_of_file
        told_of = {type(result) for result in results} - {type(None), ZeroDivisionError}
        assert told_of <= {StoreWriteError, StoreWriteError if is_of_file else StoreError}
        ours, theirs = await store.transact(lambda tx: (known(tx, chat_id), known(afresh(tx), chat_id)))
        assert ours == theirs, place
        if is_over:
            assert told == [True, False, True, True]
            break


def broken(tx: Transaction) -> Failing:
    sql = sql_of(tx)
    failing = Failing(sql._connection)
    sql._connection = failing  # type: ignore[assignment]
    return failing


def afresh(tx: Transaction) -> SqliteTransaction:
    """Rows over the same connection that know nothing yet."""
    return SqliteTransaction(Sql(sql_of(tx)._connection), lambda: NOW)
