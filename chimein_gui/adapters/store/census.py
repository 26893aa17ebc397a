"""Row counts by table and state, for diagnostics. No content of a row is read out."""

from __future__ import annotations

import re
import sqlite3
from contextlib import closing
from pathlib import Path

from chimein_gui.adapters.store.opening import open_for_reading

STATES = {
    "approvals": "state",
    "chats": "kind",
    "decisions": "verdict",
    "ledger": "state",
    "memories": "state",
    "memory_orders": "state",
    "messages": "media_kind",
    "tasks": "status",
}
"""Table → the column by which its rows are counted; other tables are counted as a whole."""

_INDEX = "search_index", "search_terms"
"""Prefixes of the search index's tables; FTS5 adds tables of its own."""

_WORD = re.compile(r"[a-z][a-z _-]{0,30}|")


def census(path: Path) -> dict[str, dict[str, int]]:
    """Count the rows of all tables, by state where they have one; blocks for as long as that takes.

    Returns:
        Table → state → rows; without a state the word ``rows``. A database that can't be read has no tables.
    """
    try:
        with closing(open_for_reading(path)) as connection:
            found = connection.execute("SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name")
            names = [name for (name,) in found if re.fullmatch(r"[a-z_]+", name) and not name.startswith(_INDEX)]
            return {name: _counted(connection, name) for name in names}
    except sqlite3.Error:
        return {}


def _counted(connection: sqlite3.Connection, table: str) -> dict[str, int]:
    column = STATES.get(table)
    if column is None:
        return {"rows": connection.execute(f"SELECT count(*) FROM {table}").fetchone()[0]}
    counts: dict[str, int] = {}
    for state, number in connection.execute(f"SELECT {column}, count(*) FROM {table} GROUP BY 1 ORDER BY 1"):
        word = state if isinstance(state, str) and _WORD.fullmatch(state) else "other"
        counts[word or "none"] = counts.get(word or "none", 0) + number
    return counts
