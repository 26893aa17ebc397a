"""search_1m: time to the first results of a search in a store of a million; yardstick: a bare FTS5 MATCH by hand.

Half of the messages are in one chat, most others in fifty, and the rest in a hundred that are too short for the index.
"""

from __future__ import annotations

import asyncio
import random
import sqlite3
import statistics
import time
from collections.abc import Awaitable, Callable
from contextlib import closing
from pathlib import Path

from chimein_gui.adapters.store.search_words import pieces_of
from chimein_gui.adapters.store.store import SqliteStore
from chimein_gui.domain.ids import MessageId
from chimein_gui.engine.library.transcripts import Transcripts
from chimein_gui.engine.ports import MessageQuery
from chimein_gui.engine.tools.history_search import ChatScope, search, words_of
from tests.benchmarks.backlog import CLOCK
from tests.benchmarks.million import ACCOUNT, MESSAGES, Place, fill, people
from tests.benchmarks.rows import Result

BUDGET_MS = 50.0
LONG, SHORT = 50, 100
LIMIT = 50
INDEXED_AT_ONCE = 20_000

LATIN = ("ferry", "marina", "wharf", "quetzal", "xylophonist", "harbour lights", "k", "ka")
UNSPACED = ("渡船", "鱻鱻", "明天 渡船", "龘靐", "一", "เรือ", "ขวด")
WORDS = LATIN + UNSPACED
"""From frequent to nowhere, one letter, two words."""

RARE = {MESSAGES // 10 * 2: "quetzal", MESSAGES // 10 * 4: "鱻鱻", MESSAGES // 10 * 6: "ขวด"}
MANY = ("ferry", "渡船", "เรือ")


def text_of(number: int, dice: random.Random = random.Random(7)) -> str:  # noqa: B008 - one for the whole store
    """Return words as unevenly frequent as people's, most Latin; every tenth text is in a script without blanks."""
    many = MANY[number % 3] if number // 7 % 4 == 0 else ""
    if number % 10 == 0:
        first = 0x4E00 if number % 20 else 0xE01
        span = 3_000 if number % 20 else 0x2E
        words = "".join(chr(first + int(dice.random() ** 3 * span)) for _ in range(24))
    else:
        words = " ".join(_word(int(dice.paretovariate(0.6))) for _ in range(10))
    now_and_then = "marina" if number % 199 == 0 else "wharf" if number % 1_999 == 0 else ""
    return f"{words} {many} {now_and_then} {RARE.get(number, '')}"


def _word(number: int) -> str:
    """Return the pseudo-word with this rank."""
    number = number * 7919 % 200_003
    letters = ""
    while number:
        number, place = divmod(number, 80)
        letters += "bcdfghjklmnprstw"[place % 16] + "aeiou"[place // 16]
    return letters


def place_of(chats: list[Place], number: int) -> Place:
    if number % 2 == 0:
        return chats[0]
    half = number // 2
    return chats[1 + half // 5 % LONG] if half % 5 else chats[1 + LONG + half // 5 % SHORT]


def by_hand(connection: sqlite3.Connection, words: str) -> int:
    pieces = [piece for word in words.split() for piece in pieces_of(word)] or [words]
    question = " AND ".join(f'"{piece}"' for piece in pieces)
    statement = "SELECT rowid FROM search_index WHERE search_index MATCH ? ORDER BY rowid DESC LIMIT ?"
    return len(connection.execute(statement, (question, LIMIT)).fetchall())


async def filled(path: Path) -> tuple[SqliteStore, list[Place]]:
    """Return a store that has been indexed."""
    store = await SqliteStore.open(path, now=CLOCK.now)
    chats = await store.transact(lambda tx: people(tx, 1 + LONG + SHORT))
    await asyncio.to_thread(fill, path, lambda number: place_of(chats, number), text_of)
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("UPDATE chats SET unindexed = 1000000")
        connection.commit()
    while await store.read(lambda tx: tx.search.has_work()):
        await store.transact(lambda tx: tx.search.index_some(INDEXED_AT_ONCE))
    return store, chats


async def compare(folder: Path, repeats: int) -> tuple[dict[str, float], float]:
    """Measure each word in the long chat, in all chats, and as the model searches; medians in ms, and the yardstick."""
    path = folder / "chimein.db"
    store, ((chat_id, peer_id), *_) = await filled(path)
    transcripts = Transcripts(store)
    scope = ChatScope(ACCOUNT, peer_id, MessageId(MESSAGES), MessageId(0))
    ways: dict[str, Callable[[str], Awaitable[object]]] = {
        "chat": lambda words: transcripts.search(chat_id, words, limit=LIMIT),
        "everywhere": lambda words: transcripts.search_everywhere(words, limit=LIMIT),
        "model": lambda words: search(store, scope, MessageQuery(words_of(words)), LIMIT),
    }
    ours, hands = dict[str, float](), list[float]()
    with closing(sqlite3.connect(path)) as connection:
        for words in WORDS:
            times: dict[str, list[float]] = {}
            for _ in range(repeats):
                for way, run in ways.items():
                    began = time.perf_counter()
                    await run(words)
                    times.setdefault(f"{words} ({way})", []).append((time.perf_counter() - began) * 1000)
                began = time.perf_counter()
                by_hand(connection, words)
                hands.append((time.perf_counter() - began) * 1000)
            ours |= {name: statistics.median(found) for name, found in times.items()}
    await store.aclose()
    return ours, statistics.median(hands)


def measure(folder: Path, *, quick: bool) -> Result:
    ours, yardstick = asyncio.run(compare(folder, 3 if quick else 20))
    slowest = sorted(ours, key=lambda name: -ours[name])
    value = ours[slowest[0]]
    note = f"slowest of {len(ours)}: " + ", ".join(f"{name} {ours[name]:.1f}" for name in slowest[:4])
    return Result("search_1m", value, "ms", yardstick, f"<= {BUDGET_MS:.0f} ms", value <= BUDGET_MS, note)
