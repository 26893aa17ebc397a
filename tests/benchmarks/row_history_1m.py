"""history_1m: time to read the messages around one, in a store of a million; yardstick: the same SELECT by hand."""

from __future__ import annotations

import asyncio
import random
import sqlite3
import statistics
import time
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

from chimein_gui.adapters.store.columns.message import COLUMNS, message_of
from chimein_gui.adapters.store.store import SqliteStore
from chimein_gui.domain.agents import AgentSpec
from chimein_gui.domain.chats import ChatInfo, ChatKind
from chimein_gui.domain.ids import AccountId, ChatId, MessageId, PeerId
from chimein_gui.engine.library.transcripts import Transcripts
from chimein_gui.engine.ports import Transaction
from tests.benchmarks.backlog import CLOCK
from tests.benchmarks.rows import Result

BUDGET_MS = 1.0
BUDGET_RATIO = 2.0
MESSAGES = 1_000_000
CHATS = 100
AROUND = 50
"""Number of messages that a query returns, as the window needs them."""

ACCOUNT = AccountId(2**40 + 7)
IN_CHAT = "FROM messages WHERE account_id = ? AND peer_id = ?"
OLDER = f"SELECT {COLUMNS} {IN_CHAT} AND message_id < ? ORDER BY message_id DESC LIMIT ?"
NEWER = f"SELECT {COLUMNS} {IN_CHAT} AND message_id >= ? ORDER BY message_id LIMIT ?"


def people(tx: Transaction) -> list[tuple[ChatId, PeerId]]:
    agent = tx.agents.upsert(AgentSpec("Nora Vale", "+9996621001", "", (), ()))
    tx.agents.bind_account(agent.agent_id, ACCOUNT)
    made = []
    for number in range(CHATS):
        info = ChatInfo(ACCOUNT, PeerId(1_000 + number), ChatKind.DM, f"Partner {number}")
        made.append((tx.chats.ensure(agent.agent_id, info, planned_up_to=MessageId(0))[0].chat_id, info.peer_id))
    return made


def rows(chats: list[tuple[ChatId, PeerId]]) -> Iterator[tuple[object, ...]]:
    """Yield the messages of all chats in the order of their ids, as an account receives them."""
    for number in range(1, MESSAGES + 1):
        chat_id, peer_id = chats[number % CHATS]
        text = f"message {number}, and some more words so that it is as long as people write"
        names = (peer_id, f"Partner {peer_id}", number % 3 == 0, number * 1_000_000, text, "[]")
        rest = (None, None, 0, None, "", 0, None, 0, "", "", "", "", 0)
        yield (ACCOUNT, peer_id, number, chat_id, *names, *rest)


def fill(path: Path, chats: list[tuple[ChatId, PeerId]]) -> None:
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        connection.execute("PRAGMA synchronous = OFF")
        connection.execute("BEGIN")
        marks = ", ".join("?" * len(COLUMNS.split(",")))
        connection.executemany(f"INSERT INTO messages ({COLUMNS}) VALUES ({marks})", rows(chats))
        connection.execute("COMMIT")


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
    chats = await store.transact(people)
    await asyncio.to_thread(fill, path, chats)
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
