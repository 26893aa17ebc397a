"""The index of the words of traces: which traces hold all words that are searched for.

It is derived and filled after the plan, so that no message waits for it. Where SQLite has no FTS5 nothing is found.
Functions that change the index run on the writer thread.
"""

from __future__ import annotations

import re
import sqlite3
from contextlib import closing
from functools import cache
from typing import TYPE_CHECKING

from chimein_gui.domain.retrieval.pages import PageFetched
from chimein_gui.domain.traces.entries import Replied, ToolUse

if TYPE_CHECKING:
    from chimein_gui.adapters.store.sql import Sql
    from chimein_gui.domain.ids import ChatId
    from chimein_gui.domain.traces.records import TraceBody

CREATE = (
    "CREATE VIRTUAL TABLE IF NOT EXISTS trace_words USING fts5"
    "(words, detail=none, prefix='2 3', tokenize='unicode61 remove_diacritics 2')"
)
WITHOUT_MODULE = "UPDATE traces SET worded = 0 WHERE worded = 1"
"""Run where SQLite has no FTS5: what it stores is not indexed, so the index must be made again later."""

MOST_LETTERS = 20_000
"""Most characters of a trace that are indexed; the beginnings of its pages are among them."""

_OF_PAGE = 6_000
_UNSPACED = re.compile(r"([\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af])")
"""Letters of scripts that put no blanks between words: each is a word of its own."""


@cache
def has_index() -> bool:
    """Return whether this SQLite supports the index."""
    with closing(sqlite3.connect(":memory:")) as connection:
        try:
            connection.execute(CREATE)
        except sqlite3.OperationalError:
            return False
    return True


def words_of(names: tuple[str, ...], body: TraceBody) -> str:
    """Return what of a trace is searched."""
    said = [*names, body.instruction]
    for one in body.entries:
        if isinstance(one, Replied):
            said.append(one.text)
        elif isinstance(one, PageFetched):
            said += [one.requested, one.final, one.text[:_OF_PAGE]]
        elif isinstance(one, ToolUse):
            said += [one.name, one.arguments]
    return _UNSPACED.sub(r" \1 ", "\n".join(said)[:MOST_LETTERS])


def question(words: str) -> str:
    """Return the FTS5 query for traces with all words, each of which may be the beginning of one; empty for none."""
    found = re.findall(r"\w+", _UNSPACED.sub(r" \1 ", words))
    return " AND ".join(f'"{one}"*' for one in found)


class TraceWords:
    """The index on one connection."""

    def __init__(self, sql: Sql) -> None:
        self._sql = sql

    def add(self, trace_id: int, text: str) -> None:
        """Index a trace."""
        if has_index():
            self._sql.run("DELETE FROM trace_words WHERE rowid = ?", trace_id)
            self._sql.run("INSERT INTO trace_words (rowid, words) VALUES (?, ?)", trace_id, text)

    def remove(self, trace_id: int) -> None:
        """Take a trace out."""
        if has_index():
            self._sql.run("DELETE FROM trace_words WHERE rowid = ?", trace_id)

    def forget(self, chat_id: ChatId) -> None:
        """Take the traces of a chat out so that nothing of their words is left in the file after it is compacted."""
        if has_index():
            self._sql.run(
                "DELETE FROM trace_words WHERE rowid IN (SELECT trace_id FROM traces WHERE chat_id = ?)", chat_id
            )
            self._sql.run("INSERT INTO trace_words (trace_words) VALUES ('optimize')")
