"""No statement of the rows walks through a table: what it costs does not depend on what is stored."""

import re
import sqlite3
from contextlib import closing

from chimein_gui.adapters.store.memo import tables_read, tables_written
from chimein_gui.adapters.store.sql import Sql
from chimein_gui.domain.ids import MessageId
from tests.unit.adapters.store.builders import ACCOUNT, PEER, chat_in, opened, sql_of
from tests.unit.adapters.store.every_method import call_every_method
from tests.unit.adapters.store.statements import steps_of, traced

# One row each, a handful of agents, all holds for their list, the few texts that are not sent, groups that moved
# (once a connect), orders to forget somebody, the files that stood in prompts, the search index with its marks, which
# has its own ways, and so has that of traces, caps and the calls under way, a list that is given, the partial indexes
# that hold just what is asked for, and a LIMITed subquery.
ALLOWED_SCANS = re.compile(
    r"SCAN (meta|agents|to_compare|waits|g|holds|unsent|agents USING COVERING INDEX sqlite_autoindex_agents_2"
    r"|\(subquery-\d+\)|CONSTANT ROW|(t|tasks) USING (COVERING )?INDEX tasks_open|tasks USING INDEX tasks_interrupted"
    r"|t USING INDEX tasks_working|memories USING INDEX memories_to_write"
    r"|memory_orders USING INDEX memory_orders_to_write"
    r"|c USING INDEX chats_to_index|(search_(index|terms)|trace_words|json_each) VIRTUAL TABLE INDEX .*"
    r"|memory_proposals USING INDEX memory_proposals_(effect|open)"
    r"|caps|reservations|(t|traces) USING (COVERING )?INDEX traces_to_word|main\.trace_words_config"
    r"|media_uses|prompts|moved_groups|search_marks|forget_requests|c USING COVERING INDEX sqlite_autoindex_chats_1"
    r"|chats USING COVERING INDEX chats_of_several|main\.search_index_config)$"
)
# `chats.all` returns every chat.
ALL_CHATS = re.compile(r"SCAN [cg]$")

WRITES = {sqlite3.SQLITE_INSERT, sqlite3.SQLITE_UPDATE, sqlite3.SQLITE_DELETE}


def touched(connection: sqlite3.Connection, statement: str) -> tuple[set[str], set[str]]:
    """Return the tables that a statement reads and writes."""
    seen: set[tuple[int, str]] = set()

    def note(action: int, table: str | None, *_: object) -> int:
        seen.add((action, table or ""))
        return sqlite3.SQLITE_OK

    connection.set_authorizer(note)
    numbered = [int(one) for one in re.findall(r"\?(\d+)", statement)]
    connection.execute(f"EXPLAIN {statement}", (None,) * max(numbered, default=statement.count("?")))
    # FTS5 opens its tables by touching the first, and keeps them in the others.
    seen = {
        (action, table)
        for action, table in seen
        if table != "sqlite_master" and "search_index_" not in table and "trace_words_" not in table
    }
    read = {table for action, table in seen if action == sqlite3.SQLITE_READ}
    return read, {table for action, table in seen if action in WRITES}


def test_no_statement_walks_through_a_table(tx):
    statements = traced(tx, call_every_method)
    plans = {statement: steps_of(tx, statement) for statement in statements}
    listing = {statement: steps_of(tx, statement) for statement in traced(tx, lambda tx: tx.chats.all())}
    assert len(plans) > 90
    walks = {
        statement: step
        for statement, steps in plans.items()
        for step in steps
        if "SCAN" in step and not ALLOWED_SCANS.search(step)
    }
    assert not walks, chr(10).join(f"{b}: {a}" for a, b in walks.items())
    (steps,) = listing.values()
    scans = [step for step in steps if "SCAN" in step and not ALLOWED_SCANS.search(step)]
    assert [bool(ALL_CHATS.search(step)) for step in scans] == [True]


async def test_the_tables_of_every_statement_are_told_from_its_words(tmp_path, monkeypatch):
    """What was found holds until one of them is written to: SQLite says which they are."""
    statements: set[str] = set()
    plain = Sql._execute

    def noting(sql, statement, values):
        statements.add(statement)
        return plain(sql, statement, values)

    def work(tx):
        call_every_method(tx)
        tx.chats.all()

    async with opened(tmp_path) as store:
        with monkeypatch.context() as patched:
            patched.setattr(Sql, "_execute", noting)
            await store.transact(work)
    assert len(statements) > 90
    with closing(sqlite3.connect(tmp_path / "chimein.db")) as looking:
        for statement in statements:
            read, written = touched(looking, statement)
            told_read, told_written = tables_read(statement), tables_written(statement)
            if told_read is not None:
                assert (read, written) == (set(told_read), set()), statement
            elif told_written is not None:
                assert written <= set(told_written), statement


async def test_the_schema_has_nothing_that_writes_unseen(store):
    """A trigger or a cascade would change tables that no statement names; a table's name must be found by its form."""
    schema = await store.read(lambda tx: sql_of(tx).all("SELECT type, name, coalesce(sql, '') FROM sqlite_master"))
    assert not [name for kind, name, _ in schema if kind in {"trigger", "view"}]
    assert not [name for _, name, sql in schema if re.search(r"ON (DELETE|UPDATE) (CASCADE|SET)", sql, re.IGNORECASE)]
    assert all(re.fullmatch("[a-z_]+", name) for kind, name, _ in schema if kind == "table")


def test_history_needs_no_sorting(tx):
    chat_in(tx)
    (statement,) = traced(tx, lambda tx: tx.messages.before(ACCOUNT, PEER, before_id=MessageId(9), limit=300))
    (step,) = steps_of(tx, statement)
    assert "USING PRIMARY KEY" in step


def test_writing_a_row_builds_no_table_in_memory(tx):
    """SQLite builds one for each longer list after IN, in the condition of an index, too, and twice for an UPDATE."""
    written = {one for one in traced(tx, call_every_method) if one.lstrip().startswith(("INSERT INTO", "UPDATE"))}
    opening = {one for one in written if any(row[1] == "OpenEphemeral" for row in sql_of(tx).all(f"EXPLAIN {one}"))}
    # Others hold the rows of a query, or the ids of several rows that they change or return.
    by_itself = {one for one in opening if not re.search(r"\bSELECT\b|json_each|<>|RETURNING", one)}
    assert len(written) > 50
    assert not by_itself
