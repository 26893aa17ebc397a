"""sandbox_echo_24: 24 bare clients send as fast as they are answered; yardstick: one client alone.

A row of our own, from FACTS: 550 to 1,200 full round trips a second with 8 clients under qasync. The sandbox must not
be what slows 24 accounts down, so all together have to reach the lower figure, and what one client reaches alone.
"""

from __future__ import annotations

import asyncio
import statistics
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

from telethon.tl.functions.messages import SendMessageRequest

from tests.benchmarks.audience import Lateness, percentile
from tests.benchmarks.bare_clients import connected
from tests.benchmarks.rows import Result
from tests.benchmarks.stage import Sandbox, run_in_qt, sandbox_process

if TYPE_CHECKING:
    from telethon import TelegramClient

ACCOUNTS = 24
BUDGET_A_SECOND = 550
BUDGET_RATIO = 0.8


async def one_after_the_other(client: TelegramClient, peer: Any, count: int) -> None:
    for number in range(count):
        await client(SendMessageRequest(peer, f"message number {number}, and how is the lake?", clear_draft=False))


async def rate(sandbox: Sandbox, clients: int, each: int, lateness: Lateness | None = None) -> float:
    """Messages a second, each answered before its client sends the next one."""
    partners = sandbox.description["partners"]
    async with connected(sandbox, clients) as all_of_them:
        await asyncio.gather(*(client.get_dialogs() for client in all_of_them))
        peers = [
            await client.get_input_entity(f"partner_{number:02}_box" if number else "marta_oliveira_box")
            for number, client in enumerate(all_of_them)
        ]
        assert len(partners) >= clients
        if lateness is not None:
            lateness.start()
        began = time.perf_counter()
        await asyncio.gather(
            *(one_after_the_other(client, peer, each) for client, peer in zip(all_of_them, peers, strict=True))
        )
        elapsed = time.perf_counter() - began
        if lateness is not None:
            lateness.stop()
    return clients * each / elapsed


def measure(folder: Path, *, quick: bool) -> Result:
    each, repeats = (20, 1) if quick else (100, 5)

    async def main(_app: Any) -> tuple[list[float], list[float], list[float]]:
        together, alone, late = [], [], []
        for _ in range(repeats):
            with sandbox_process(folder, ACCOUNTS) as sandbox:
                watch = Lateness()
                alone.append(await rate(sandbox, 1, each * 4))
                together.append(await rate(sandbox, ACCOUNTS, each, watch))
                late.extend(watch.late_ms)
        return together, alone, late

    together, alone, late = run_in_qt(main)
    value, yardstick = statistics.median(together), statistics.median(alone)
    ok = value >= BUDGET_A_SECOND and value >= BUDGET_RATIO * yardstick
    note = f"{repeats} runs; 5 ms timer late by p50 {percentile(late, 0.5):.1f} ms, p99 {percentile(late, 0.99):.1f} ms"
    budget = f">= {BUDGET_A_SECOND}/s and >= {BUDGET_RATIO} x the yardstick"
    return Result("sandbox_echo_24", value, "/s", yardstick, budget, ok, note)
