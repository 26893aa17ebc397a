"""Counting rows by state, for diagnostics: numbers, and nothing that stands in a row."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

from chimein_gui.adapters.store.census import STATES, census
from chimein_gui.adapters.store.store import SqliteStore
from chimein_gui.engine.core.clock import SystemClock


async def made(path: Path) -> None:
    store = await SqliteStore.open(path, now=SystemClock().now)
    await store.aclose()


async def test_every_table_is_counted_and_those_with_a_state_by_it(tmp_path: Path) -> None:
    path = tmp_path / "chimein.db"
    await made(path)
    with closing(sqlite3.connect(path)) as connection:
        tables = {name for (name,) in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")}
        for table, column in STATES.items():
            assert column in {row[1] for row in connection.execute(f"PRAGMA table_info({table})")}, table
    found = census(path)
    index = {name for name in tables if name.startswith(("search_index", "search_terms"))}
    assert set(found) == tables - index
    assert found["meta"] == {"rows": 1}
    assert found["tasks"] == {}


def test_what_is_no_state_is_not_repeated(tmp_path: Path) -> None:
    path = tmp_path / "chimein.db"
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("CREATE TABLE tasks (status TEXT)")
        connection.executemany("INSERT INTO tasks VALUES (?)", [("done",), ("done",), ("Zoë said: canary",), ("",)])
        connection.commit()
    assert census(path) == {"tasks": {"done": 2, "none": 1, "other": 1}}


def test_what_is_no_database_has_no_tables(tmp_path: Path) -> None:
    path = tmp_path / "chimein.db"
    path.write_bytes(b"not a database at all" * 100)
    assert census(path) == {}
    assert census(tmp_path / "nowhere.db") == {}
    assert not (tmp_path / "nowhere.db").exists()
