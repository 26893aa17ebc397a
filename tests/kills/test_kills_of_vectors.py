"""The program is killed while it embeds memories: the job goes on where it was, and pays nothing twice but the call
whose answer never came."""

from __future__ import annotations

import asyncio
import signal
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest

from chimein_gui.adapters.memory_index import SqliteMemoryIndex
from tests.kills.vectors_program import TEXTS

ROOT = Path(__file__).parents[2]
NEVER = 99


def run(folder: Path, calls: int, moment: str) -> int:
    command = [sys.executable, "-m", "tests.kills.vectors_program", str(folder), str(calls), moment]
    return subprocess.run(command, cwd=ROOT, check=False, timeout=120).returncode


@pytest.mark.gate_slow
@pytest.mark.parametrize("moment", ["before", "after"])
def test_the_job_goes_on_after_each_kill(tmp_path: Path, moment: str) -> None:
    for calls in (1, 2):
        assert run(tmp_path, calls, moment) == -signal.SIGKILL
    assert run(tmp_path, NEVER, moment) == 0
    asked = Counter((tmp_path / "asked").read_text("utf-8").splitlines())
    assert set(asked) == set(TEXTS)
    lost = sum(count - 1 for count in asked.values())
    assert lost == (8 if moment == "before" else 0)  # two calls of four texts had no answer

    async def status() -> dict[str, int]:
        index = SqliteMemoryIndex(tmp_path / "memory_index.db")
        try:
            return dict((await index.status()).with_vector)
        finally:
            await index.close()

    assert asyncio.run(status()) == {"gemini-embedding-001": len(TEXTS)}
