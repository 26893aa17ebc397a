"""Waiting on virtual time sees what threads do."""

import asyncio
import threading
from pathlib import Path

from tests.support.engine_room import engine_room


async def test_work_is_not_done_while_a_thread_works_on_it(tmp_path: Path) -> None:
    async with engine_room(tmp_path) as room:
        await room.worked_off()
        may_end = threading.Event()
        async with asyncio.TaskGroup() as group:
            group.create_task(asyncio.to_thread(may_end.wait))
            waiting = group.create_task(room.worked_off())
            for _ in range(50):
                await room.store.read(lambda tx: tx.revision)
            was_done = waiting.done()
            may_end.set()
        assert not was_done
