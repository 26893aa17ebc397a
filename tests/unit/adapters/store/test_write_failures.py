"""A failing commit, a killed process: nothing half, nothing lost that was acknowledged, and on it goes."""

import asyncio
import subprocess
import sys
from pathlib import Path

from chimein_gui.domain.errors import StoreWriteError
from chimein_gui.engine.ports import Durability
from tests.unit.adapters.store.builders import ACCOUNT, PEER, Barrier, chat_in, message, opened, sql_of, started, turn

ROOT = Path(__file__).parents[4]


def put(number, size=10):
    return lambda tx: tx.messages.put(chat_in(tx).chat_id, message(number, "x" * size))


async def ids(store):
    rows = await store.read(lambda tx: tx.messages.before(ACCOUNT, PEER, before_id=None, limit=9999))
    return [row.key.message_id for row in rows]


async def test_a_commit_that_fails_stores_nothing_of_the_batch(store):
    def poison(tx):
        sql_of(tx).run("PRAGMA defer_foreign_keys = ON")
        sql_of(tx).run("INSERT INTO graphs (chat_id, problems, created_at) VALUES (999, '[]', 0)")

    async with Barrier(store):
        tasks = started(store.transact(put(1)), store.transact(poison, durability=Durability.FULL))
        await turn()
    results = await asyncio.gather(*tasks, return_exceptions=True)
    assert [type(result) for result in results] == [StoreWriteError] * 2
    assert await ids(store) == []
    assert await store.transact(put(2)) is True
    assert await ids(store) == [2]


async def test_work_that_ends_the_transaction_behind_our_back_is_not_taken_for_committed(store):
    async with Barrier(store):
        tasks = started(store.transact(put(1)), store.transact(lambda tx: sql_of(tx).run("ROLLBACK").rowcount))
        await turn()
    results = await asyncio.gather(*tasks, return_exceptions=True)
    assert [type(result) for result in results] == [StoreWriteError] * 2
    assert await store.transact(put(2)) is True
    assert await ids(store) == [2]


ENDLESS = """
import asyncio, sys
from pathlib import Path
from chimein_gui.adapters.store import SqliteStore
from chimein_gui.engine.ports import Durability
from tests.unit.adapters.store.builders import NOW, chat_in, message

async def main(path):
    store = await SqliteStore.open(path, now=lambda: NOW)
    chat_id = (await store.transact(chat_in)).chat_id
    start = await store.read(lambda tx: tx.revision) * 1000

    async def caller(lane):
        durability = Durability.FULL if lane % 3 == 0 else Durability.NORMAL
        for number in range(start + lane, 10**9, 10):
            await store.transact(lambda tx: tx.messages.put(chat_id, message(number)), durability=durability)
            print(number, flush=True)

    await asyncio.gather(*map(caller, range(10)))

asyncio.run(main(Path(sys.argv[1])))
"""


def test_a_killed_process_loses_nothing_that_was_acknowledged(tmp_path):
    acknowledged = set()
    for lines in (1, 40, 400):
        process = subprocess.Popen(
            [sys.executable, "-c", ENDLESS, tmp_path / "chimein.db"], cwd=ROOT, stdout=subprocess.PIPE, text=True
        )
        assert process.stdout is not None
        for _ in range(lines):
            acknowledged.add(int(process.stdout.readline()))
        process.kill()
        # What follows the last line end was cut off by the kill.
        acknowledged.update(int(line) for line in process.stdout.read().split("\n")[:-1])
        process.stdout.close()
        process.wait(20)

        async def stored():
            async with opened(tmp_path) as store:
                chats = await store.read(lambda tx: tx.chats.all())
                return set(await ids(store)), chats[0].unread

        found, unread = asyncio.run(stored())
        assert acknowledged <= found
        assert unread == len(found)
