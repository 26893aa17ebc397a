"""history_1m: time to read the messages around one, in a store of a million; yardstick: the same SELECT by hand."""

from __future__ import annotations

import asyncio
import random
import sqlite3
import statistics
import time
from contextlib import closing
from pathlib import Path

from chimein_gui.adapters.store.columns.message import COLUMNS, message_of
from chimein_gui.adapters.store.store import SqliteStore
from chimein_gui.domain.ids import MessageId, PeerId
from chimein_gui.engine.library.transcripts import Transcripts
from tests.benchmarks.backlog import CLOCK
from tests.benchmarks.million import ACCOUNT, MESSAGES, fill, people
from tests.benchmarks.rows import Result

BUDGET_MS = 1.0
BUDGET_RATIO = 2.0
CHATS = 100
AROUND = 50
"""Number of messages that a query returns, as the window needs them."""

IN_CHAT = "FROM messages WHERE account_id = ? AND peer_id = ?"
OLDER = f"SELECT {COLUMNS} {IN_CHAT} AND message_id < ? ORDER BY message_id DESC LIMIT ?"
NEWER = f"SELECT {COLUMNS} {IN_CHAT} AND message_id >= ? ORDER BY message_id LIMIT ?"


def text_of(number: int) -> str:
    return f"message {number}, and some more words so that it is as long as people write"


def by_hand(connection: sqlite3.Connection, peer_id: PeerId, message_id: MessageId) -> int:
    older = connection.execute(OLDER, (ACCOUNT, peer_id, message_id, AROUND // 2)).fetchall()
    newer = connection.execute(NEWER, (ACCOUNT, peer_id, message_id, AROUND - AROUND // 2)).fetchall()
    return len([message_of(row) for row in (*reversed(older), *newer)])


async def compare(folder: Path, queries: int) -> tuple[list[float], list[float]]:
    """Measure both in turns, so that other load of the machine affects both; times in ms.

    Both convert the rows to messages anew, because converted rows are cached and the second would profit from the
    first.
    """
    path = folder / "chimein.db"
    store = await SqliteStore.open(path, now=CLOCK.now)
    chats = await store.transact(lambda tx: people(tx, CHATS))
    await asyncio.to_thread(fill, path, lambda number: chats[number % CHATS], text_of)
    transcripts, dice = Transcripts(store), random.Random(7)
    ours, hands = list[float](), list[float]()
    with closing(sqlite3.connect(path)) as connection:
        for _ in range(queries):
            number = dice.randrange(MESSAGES // 10, MESSAGES * 9 // 10)
            chat_id, peer_id = chats[number % CHATS]
            message_of.cache_clear()
            began = time.perf_counter()
            loaded = await transcripts.around(chat_id, MessageId(number), AROUND)
            ours.append((time.perf_counter() - began) * 1000)
            message_of.cache_clear()
            began = time.perf_counter()
            found = by_hand(connection, peer_id, MessageId(number))
            hands.append((time.perf_counter() - began) * 1000)
            assert len(loaded.rows) == found == AROUND
    await store.aclose()
    return ours, hands


def measure(folder: Path, *, quick: bool) -> Result:
    queries = 200 if quick else 2_000
    ours, hands = asyncio.run(compare(folder, queries))
    value, yardstick = statistics.median(ours), statistics.median(hands)
    ok = value <= BUDGET_MS and value <= BUDGET_RATIO * yardstick
    note = f"median of {queries} places, {AROUND} of {MESSAGES:,} messages, asked from the loop"
    return Result("history_1m", value, "ms", yardstick, "<= 1 ms, <= 2 x by hand", ok, note)
