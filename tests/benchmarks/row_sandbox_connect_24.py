"""sandbox_connect_24: 24 clients with stored keys connect at once; yardstick: one client alone.

A row of our own: 24 accounts that start together may take no longer than 24 that start one after the other within
BUDGETS' 5 ms each.
"""

from __future__ import annotations

import asyncio
import statistics
import time
from pathlib import Path

from tests.benchmarks.bare_clients import connect_ms, new_client
from tests.benchmarks.rows import Result
from tests.benchmarks.stage import Sandbox, sandbox_process

ACCOUNTS = 24
BUDGET_MS = ACCOUNTS * 5.0


async def all_at_once_ms(sandbox: Sandbox) -> float:
    clients = [new_client(sandbox, account) for account in sandbox.accounts()]
    began = time.perf_counter()
    await asyncio.gather(*(client.connect() for client in clients))
    elapsed = (time.perf_counter() - began) * 1000
    for client in clients:
        await client.disconnect()
    return elapsed


def measure(folder: Path, *, quick: bool) -> Result:
    repeats = 5 if quick else 25

    async def main() -> tuple[list[float], list[float]]:
        with sandbox_process(folder, ACCOUNTS) as sandbox:
            await all_at_once_ms(sandbox)
            together, alone = [], []
            for _ in range(repeats):
                together.append(await all_at_once_ms(sandbox))
                alone.append(await connect_ms(sandbox, sandbox.accounts()[0]))
            return together, alone

    together, alone = asyncio.run(main())
    value, yardstick = statistics.median(together), statistics.median(alone)
    note = f"worst of {repeats}: {max(together):.0f} ms"
    return Result("sandbox_connect_24", value, "ms", yardstick, f"<= {BUDGET_MS:.0f} ms", value <= BUDGET_MS, note)
