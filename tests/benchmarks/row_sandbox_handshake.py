"""sandbox_handshake: a client without a key exchanges one and connects; yardstick: a client with a stored key.

A row of our own: a log-in in a rehearsal must not be felt, and the exchange is the part that computes.
"""

from __future__ import annotations

import asyncio
import itertools
import statistics
import time
from pathlib import Path

from chimein_gui.adapters.telegram.backend import TelegramBackend, sandbox_backend
from chimein_gui.adapters.telegram.key_exchange import SandboxTrust
from chimein_gui.adapters.telegram.session import SessionFile
from tests.benchmarks.bare_clients import connect_ms
from tests.benchmarks.rows import Result
from tests.benchmarks.stage import Sandbox, sandbox_process
from tests.support.control.client import ControlChannelConsole

BUDGET_MS = 100.0


async def exchange_ms(sandbox: Sandbox, backend: TelegramBackend, path: Path) -> float:
    session = SessionFile(str(path))
    at = sandbox.description
    session.set_dc(at["dc_id"], at["host"], at["telegram_port"])
    client = backend.client(session, backend.api_id, backend.api_hash, connection=backend.connection)
    began = time.perf_counter()
    await client.connect()
    elapsed = (time.perf_counter() - began) * 1000
    await client.close()
    return elapsed


def measure(folder: Path, *, quick: bool) -> Result:
    repeats = 10 if quick else 50

    async def main() -> tuple[list[float], list[float]]:
        with sandbox_process(folder, 1) as sandbox:
            console = await ControlChannelConsole.from_port_file(sandbox.port_file)
            key = (await console._line.ask("server_key")).encode()
            await console.aclose()
            backend = sandbox_backend(SandboxTrust(lambda: key))
            paths = (folder / f"exchange-{number}.session" for number in itertools.count())
            await exchange_ms(sandbox, backend, next(paths))
            exchanged, preseeded = [], []
            for _ in range(repeats):
                exchanged.append(await exchange_ms(sandbox, backend, next(paths)))
                preseeded.append(await connect_ms(sandbox, sandbox.accounts()[0]))
            return exchanged, preseeded

    exchanged, preseeded = asyncio.run(main())
    value, yardstick = statistics.median(exchanged), statistics.median(preseeded)
    note = f"median of {repeats}, worst {max(exchanged):.0f} ms"
    return Result("sandbox_handshake", value, "ms", yardstick, f"<= {BUDGET_MS:.0f} ms", value <= BUDGET_MS, note)
