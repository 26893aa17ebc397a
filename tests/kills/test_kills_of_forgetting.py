"""`kill -9` while a person is forgotten: the next start goes on, and at the end nothing of the person is left."""

from __future__ import annotations

import signal
import subprocess
import sys
from pathlib import Path

import pytest

from chimein_gui.domain.events import PersonForgotten
from tests.fakes.telegram import MARTA
from tests.support.person_room import KEPT, SECRETS, person_engine

ROOT = Path(__file__).parents[2]
STEPS = (1, 2, 3, 5, 7, 9, 11, 12)
"""After which commit of about a dozen the program is killed; the last are those around the compaction."""


def forgets(folder: Path, step: int) -> subprocess.CompletedProcess[str]:
    folder.mkdir(exist_ok=True)
    command = [sys.executable, "-m", "tests.kills.forgetting_victim", str(folder), str(step)]
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=120, check=False)


def test_the_steps_reach_from_the_order_to_the_end(tmp_path: Path) -> None:
    done = forgets(tmp_path, -1)
    assert done.returncode == 0, done.stderr
    assert max(STEPS) - 3 <= int(done.stdout) <= max(STEPS) + 8


@pytest.mark.parametrize("step", STEPS)
async def test_a_killed_program_goes_on_forgetting_and_leaves_nothing(tmp_path: Path, step: int) -> None:
    died = forgets(tmp_path, step)
    assert died.returncode == -signal.SIGKILL, died.stderr
    async with person_engine(tmp_path) as there:
        orders = await there.room.store.read(lambda tx: tx.people.requests())
        if orders:
            await there.room.until(lambda: any(isinstance(event, PersonForgotten) for event in there.room.events))
            assert await there.room.store.read(lambda tx: tx.people.requests()) == ()
        assert not (await there.room.engine.holds.load()).rows
        assert not (await there.room.engine.people.look(MARTA)).forgetting
        assert there.grep(*SECRETS) == {}
        assert {word for words in there.grep(*KEPT).values() for word in words} == set(KEPT)
