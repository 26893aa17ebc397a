"""What a transaction has found holds until something writes to it, and no longer than the transaction."""

import re

from chimein_gui.adapters.store.memo import MOST_ROWS, tables_read, tables_written
from chimein_gui.domain.ids import MessageId
from tests.unit.adapters.store.builders import (
    ACCOUNT,
    PEER,
    chat_in,
    counting,
    put_in,
    sql_of,
)


def test_a_long_answer_is_not_kept(tx):
    chat_id = chat_in(tx).chat_id
    for number in range(1, MOST_ROWS + 2):
        put_in(tx, chat_id, number)
    seen = counting(tx)
    for _ in range(2):
        tx.messages.before(ACCOUNT, PEER, before_id=MessageId(999), limit=999)
    assert sum(statement.lstrip().startswith("SELECT") for statement in seen) == 2


async def test_the_schema_has_nothing_that_writes_unseen(store):
    """A trigger or a cascade would change tables that no statement names; a table's name must be found by its form."""
    schema = await store.read(lambda tx: sql_of(tx).all("SELECT type, name, coalesce(sql, '') FROM sqlite_master"))
    assert not [name for kind, name, _ in schema if kind in {"trigger", "view"}]
    assert not [name for _, name, sql in schema if re.search(r"ON (DELETE|UPDATE) (CASCADE|SET)", sql, re.IGNORECASE)]
    assert all(re.fullmatch("[a-z_]+", name) for kind, name, _ in schema if kind == "table")


def test_tables_are_found_in_every_kind_of_statement():
    assert tables_read("\nSELECT a, (SELECT 1 FROM tasks) FROM chats c LEFT JOIN messages m ON 1") == (
        "tasks",
        "chats",
        "messages",
    )
    assert tables_read("UPDATE messages SET deleted = 1 RETURNING text") is None
    assert tables_written("UPDATE graphs INDEXED BY graphs_current SET standing = ?") == ("graphs",)
    assert tables_written("INSERT OR REPLACE INTO holds (scope) VALUES (?)") == ("holds",)
    assert tables_written("INSERT INTO waits (a) VALUES (?) ON CONFLICT DO UPDATE SET a = 1") == ("waits",)
    assert tables_written("DELETE FROM holds") is None
    assert tables_written("ROLLBACK TO work") is None
    assert tables_written("SAVEPOINT work") == ()
