"""preseeded_connect: time to connect to the sandbox with a stored key; yardstick: TCP and one framed packet.

The clients run in asyncio's own loop, as in nearly all tests.
"""

from __future__ import annotations

import asyncio
import statistics
from pathlib import Path

from tests.benchmarks.bare_clients import bare_exchange_ms, connect_ms
from tests.benchmarks.rows import Result
from tests.benchmarks.stage import sandbox_process

BUDGET_MS = 5.0


def measure(folder: Path, *, quick: bool) -> Result:
    repeats = 40 if quick else 300

    async def main() -> tuple[list[float], list[float]]:
        with sandbox_process(folder, 1) as sandbox:
            account = sandbox.accounts()[0]
            for _ in range(5):
                await connect_ms(sandbox, account)
            ours, bare = [], []
            for _ in range(repeats):
                ours.append(await connect_ms(sandbox, account))
                bare.append(await bare_exchange_ms(sandbox))
            return ours, bare

    ours, bare = asyncio.run(main())
    value, yardstick = statistics.median(ours), statistics.median(bare)
    worst = statistics.quantiles(ours, n=100)[98]
    note = f"median of {repeats}, p99 {worst:.1f} ms"
    return Result("preseeded_connect", value, "ms", yardstick, f"<= {BUDGET_MS:.0f} ms", value <= BUDGET_MS, note)
