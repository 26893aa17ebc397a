"""A store with many traces, for the rows that list, search and delete them."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from datetime import datetime, timedelta
from pathlib import Path

from chimein_gui.adapters.store.store import SqliteStore
from chimein_gui.adapters.store.traces.codec import pack
from chimein_gui.domain.costs import CallEnd, ModelCall
from chimein_gui.domain.prompt.prompts import Usage
from chimein_gui.domain.traces.entries import ContextChosen, Debounced, Parsed, PromptBuilt, Replied
from chimein_gui.domain.traces.records import TraceBody, TraceRecord
from chimein_gui.domain.traces.summaries import TraceKind, TraceState
from chimein_gui.engine.ports import Transaction
from tests.benchmarks.backlog import CLOCK
from tests.benchmarks.million import people

CHATS = 100
WORDS = ("ferry", "bridge", "lighthouse", "umbrella", "timetable", "heron", "tortoise", "harbour", "kettle", "walnut")
STATES = (TraceState.SENT,) * 6 + (TraceState.REJECTED, TraceState.REPLACED, TraceState.NO_ANSWER, TraceState.FAILED)


def said(number: int) -> str:
    """Return a reply of forty words, one of which no other trace has."""
    return " ".join(WORDS[(number * 7 + place * place) % len(WORDS)] for place in range(40)) + f" n{number}x"


def entries_of(number: int, at: datetime) -> tuple[object, ...]:
    """Return what is recorded of a usual plan."""
    usage = Usage(5_000 + number % 977, 100 + number % 89)
    call = ModelCall("gemini-2.5-flash", "plan", at, 2.0, CallEnd.ANSWERED, usage, cost_usd=0.0018)
    return (
        Debounced(at, 1.5, 1),
        ContextChosen(at, 0.005, 11, 64, is_chosen=True),
        PromptBuilt(at, 0.002, 9, 20),
        call,
        Replied(f"# «send»\n{said(number)}", "STOP"),
        Parsed(at, 0.001, ("send",)),
    )


def _one(tx: Transaction, chat_id: int, agent_id: int, at: datetime) -> TraceRecord:
    made = TraceRecord(TraceKind.PLAN, chat_id, agent_id, TraceState.SENT, at, at, entries_of(0, at))  # type: ignore[arg-type]
    tx.traces.record(replace(made, first_words="is the 10:15 still running"))
    return made


async def fill(path: Path, count: int, *, age: timedelta = timedelta(), indexed: bool = True) -> SqliteStore:
    """Open a store and put so many traces into it, past the program but for the first: it is faster.

    Args:
        path: Of the file, which is new.
        count: Number of traces.
        age: How old the newest is; each other is a minute older than the next.
        indexed: Their words are in the index.
    """
    store = await SqliteStore.open(path, now=CLOCK.now)
    chats = await store.transact(lambda tx: people(tx, CHATS))
    newest = CLOCK.now() - age
    oldest = newest - timedelta(minutes=count)
    agent_id = await store.transact(lambda tx: tx.chats.get(chats[0][0]).agent_id)
    await store.transact(lambda tx: _one(tx, chats[0][0], agent_id, oldest))
    await store.aclose()
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        connection.execute("PRAGMA synchronous = OFF")
        names = [row[1] for row in connection.execute("PRAGMA table_info(traces)")]
        first = dict(zip(names, connection.execute("SELECT * FROM traces").fetchone(), strict=True))
        marks = ", ".join("?" * len(names))
        numbers = range(2, count + 1)

        def rows() -> Iterator[tuple[object, ...]]:
            for number in numbers:
                micros = first["ended_at"] + number * 60_000_000
                changed = {
                    "trace_id": number,
                    "chat_id": chats[number % CHATS][0],
                    "state": STATES[number % len(STATES)].value,
                    "began_at": micros - 4_000_000,
                    "ended_at": micros,
                    "slow": int(number % 50 == 0),
                    "expensive": int(number % 997 == 0),
                    "edited": int(number % 20 == 0),
                    "rejected": int(STATES[number % len(STATES)] is TraceState.REJECTED),
                    "kind": "dry run" if number % 5_003 == 0 else "plan",
                    "worded": int(indexed),
                }
                yield tuple((first | changed).values())

        connection.execute("BEGIN")
        connection.executemany(f"INSERT INTO traces VALUES ({marks})", rows())
        bodies = ((one, pack(TraceBody(entries_of(one, oldest)))) for one in numbers)  # type: ignore[arg-type]
        connection.executemany("INSERT INTO trace_bodies VALUES (?, ?)", bodies)
        if indexed:
            words = ((one, f"is the 10:15 still running Partner {one % CHATS} {said(one)}") for one in numbers)
            connection.executemany("INSERT INTO trace_words (rowid, words) VALUES (?, ?)", words)
        connection.execute("COMMIT")
        connection.execute("ANALYZE")
    return await SqliteStore.open(path, now=CLOCK.now)
