"""trace_cost: what recording adds to the processor time of a cycle, in percent; yardstick: the same without it."""

from __future__ import annotations

import statistics
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any
from unittest.mock import patch

from chimein_gui.domain.chats import TrustLevel
from chimein_gui.engine.approvals import admission
from chimein_gui.engine.planning.recording import Recorder
from chimein_gui.engine.tasks import transitions
from tests.benchmarks.row_cycles import closed_loop
from tests.benchmarks.rows import Result
from tests.benchmarks.stage import engine_stage, get_acquainted, run_in_qt, sandbox_process

BUDGET_PERCENT = 5.0


@contextmanager
def nothing_is_recorded() -> Iterator[None]:
    """Put a recorder that stores nothing in the place of the program's, and let no step look for a trace."""
    with ExitStack() as patched:
        patched.enter_context(patch.object(Recorder, "plan", lambda *_: None))
        for module in (transitions, admission):
            patched.enter_context(patch.object(module, "follow_outcome", lambda *_: None))
        yield


def measure(folder: Path, *, quick: bool) -> Result:
    rounds, repeats = (6, 2) if quick else (12, 6)

    async def cycle_ms(number: int) -> float:
        """Return the processor time of a cycle of this process."""
        with sandbox_process(folder) as sandbox:
            async with engine_stage(sandbox, folder / f"engine{number}") as stage:
                pairs = sandbox.pairs()
                await get_acquainted(stage, pairs, TrustLevel.AUTO)
                stage.stop_events()
                began = time.process_time()
                await closed_loop(stage, pairs, rounds)
                return 1000 * (time.process_time() - began) / (rounds * len(pairs))

    async def main(_app: Any) -> tuple[list[float], list[float]]:
        with_it, without = [], []
        for number in range(repeats):
            # Which comes first alternates, so that a machine that gets slower favours neither.
            for records in (True, False) if number % 2 else (False, True):
                if records:
                    with_it.append(await cycle_ms(2 * number))
                else:
                    with nothing_is_recorded():
                        without.append(await cycle_ms(2 * number + 1))
        return with_it, without

    with_it, without = run_in_qt(main)
    on, off = statistics.median(with_it), statistics.median(without)
    value = 100 * (on / off - 1)
    note = f"{on:.2f} ms a cycle with it, {off:.2f} without; {repeats} runs each"
    return Result("trace_cost", value, "%", off, f"<= {BUDGET_PERCENT:.0f} %", value <= BUDGET_PERCENT, note)
