"""Counting rows by state, for diagnostics: numbers, and nothing that stands in a row."""

from __future__ import annotations

import json
import sqlite3
import zipfile
from contextlib import closing
from dataclasses import replace
from functools import partial
from pathlib import Path

from chimein_gui.adapters.files.diagnostics import DiagnosticsZip
from chimein_gui.adapters.store.census import STATES, census
from chimein_gui.adapters.store.store import SqliteStore
from chimein_gui.domain.costs import CallEnd, ModelCall
from chimein_gui.domain.prompt.prompts import Usage
from chimein_gui.domain.prompt.sent import PromptOutline, SectionSource
from chimein_gui.domain.retrieval.pages import PageFetched, RetrievalRound
from chimein_gui.domain.traces.entries import Replied
from chimein_gui.domain.traces.records import TraceRecord
from chimein_gui.domain.traces.summaries import TraceKind, TraceState
from chimein_gui.engine.core.clock import SystemClock
from chimein_gui.engine.ports import Transaction
from tests.unit.adapters.store.builders import NOW, approval_in, chat_in, opened


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


async def test_diagnostics_hold_no_trace_prompt_page_or_reply(tmp_path: Path) -> None:
    canary = "canary-77"
    called = ModelCall("gemini", "plan", NOW, 1.5, CallEnd.ANSWERED, Usage())
    page = PageFetched(f"http://{canary}/", f"http://{canary}/", NOW, 0.1, 1, status=200, text=canary)
    entries = (called, Replied(f"# «send»\n{canary}", "STOP"), RetrievalRound(1, NOW, 0.1, 1, 0), page)

    def fill(tx: Transaction) -> None:
        chat = chat_in(tx)
        approval = approval_in(tx, chat.chat_id, text=canary)
        tx.effects.book(chat.chat_id, called)
        outline = PromptOutline((SectionSource(canary, f"{canary}.md", 1, 2),))
        tx.prompts.add(approval.graph_id, chat.chat_id, called, outline, canary.encode())
        made = TraceRecord(TraceKind.PLAN, chat.chat_id, chat.agent_id, TraceState.WAITING, NOW, NOW, entries)
        tx.traces.record(replace(made, graph_id=approval.graph_id, first_words=canary))
        tx.traces.index_words(10)

    async with opened(tmp_path) as store:
        await store.transact(fill)
    bundle = tmp_path / "out.zip"
    logs = tmp_path / "logs"
    logs.mkdir()
    await DiagnosticsZip(logs, str, partial(census, tmp_path / "chimein.db")).write(
        bundle, {"settings": {}, "accounts": []}
    )
    with zipfile.ZipFile(bundle) as unpacked:
        files = {name: unpacked.read(name) for name in unpacked.namelist()}
    assert set(files) == {"README.txt", "versions.json", "accounts.json", "settings.json", "counts.json"}
    assert not [name for name, data in files.items() if canary.encode() in data or b"canary" in data]
    counts = json.loads(files["counts.json"])
    assert (counts["traces"], counts["trace_bodies"], counts["prompts"]) == ({"rows": 1}, {"rows": 1}, {"rows": 1})
