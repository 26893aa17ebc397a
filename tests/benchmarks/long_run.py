"""Resources of a long run: resident memory and database size after each thousand messages, beyond the size of caches.

Run as `python -m tests.benchmarks.long_run MESSAGES A_SECOND`; prints a line of JSON each thousand messages. The caches
of the store hold 16,384 messages and 2,048 rows of each other kind: what still grows after 20,000 is a leak.
"""

from __future__ import annotations

import asyncio
import gc
import json
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from chimein_gui.domain.chats import TrustLevel
from chimein_gui.runtime import interpreter
from tests.benchmarks.audience import say, watching
from tests.benchmarks.main_process import memory_mb
from tests.benchmarks.stage import Sandbox, engine_stage, get_acquainted, run_in_qt, sandbox_process

AT_ONCE = 1_000
"""Number of messages between two lines of output."""

REST_S = 2.0
"""Seconds after the last message, in which the open answers are sent."""


async def run(sandbox: Sandbox, folder: Path, messages: int, a_second: float) -> None:
    """Let partners write and agents answer automatically, and measure at intervals."""
    pairs = sandbox.pairs()
    async with engine_stage(sandbox, folder) as stage, watching(stage):
        await get_acquainted(stage, pairs, TrustLevel.AUTO)
        began = time.perf_counter()
        for said in range(AT_ONCE, messages + 1, AT_ONCE):
            await say(stage.console, pairs, AT_ONCE, a_second)
            await asyncio.sleep(REST_S)
            while not stage.events.empty():
                stage.events.get_nowait()
            gc.collect()
            database_mb = (folder / "chimein.db").stat().st_size / 2**20
            line = {
                "messages": said,
                "seconds": round(time.perf_counter() - began),
                "rss_mb": round(memory_mb("VmRSS"), 1),
                "database_mb": round(database_mb, 1),
                # Not `gc.get_objects`: it would reference tuples that a thread of the store is creating.
                "blocks": sys.getallocatedblocks(),
            }
            print(json.dumps(line), flush=True)


def main() -> int:
    """Read the arguments and run."""
    messages, a_second = int(sys.argv[1]), float(sys.argv[2])
    interpreter.set_up()
    with tempfile.TemporaryDirectory() as place, sandbox_process(Path(place)) as sandbox:

        async def work(_app: Any) -> None:
            await run(sandbox, Path(place), messages, a_second)

        run_in_qt(work)
    return 0


if __name__ == "__main__":
    sys.exit(main())
