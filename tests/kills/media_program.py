"""A program that describes a hundred media, and kills itself in the middle; for `test_kills_of_descriptions.py`.

    python -m tests.kills.media_program FOLDER MOMENT COUNT

It appends the id of each medium that a model is asked for to `asked`, and ends with 0 when all are described.
"""

from __future__ import annotations

import asyncio
import os
import signal
import sys
from pathlib import Path
from typing import Any

from chimein_gui.adapters.files.media.records import MediaRecordFiles
from chimein_gui.engine.core.clock import SystemClock
from chimein_gui.engine.core.jobs import JobRunner
from chimein_gui.engine.media.budget import DescriptionBudget
from chimein_gui.engine.media.chain import MediaChain
from tests.fakes.describer import FakeDescriber
from tests.support.media_room import sticker

COUNT = 100
ITEMS = tuple(sticker(number) for number in range(1, COUNT + 1))


class Killer:
    """Ends the program hard at the n-th time that something happens."""

    def __init__(self, count: int) -> None:
        self._left = count

    def strike(self) -> None:
        self._left -= 1
        if not self._left:
            os.kill(os.getpid(), signal.SIGKILL)


def strike_in(killer: Killer, moment: str) -> None:
    """Let it strike while a record is written: before its file is complete, or as soon as it has its name."""
    if moment == "writing":
        fsync = os.fsync

        def synced(descriptor: int) -> None:
            killer.strike()
            fsync(descriptor)

        os.fsync = synced  # type: ignore[assignment]
    elif moment == "written":
        replace = Path.replace

        def replaced(path: Path, target: Any) -> Path:
            made = replace(path, target)
            killer.strike()
            return made

        Path.replace = replaced  # type: ignore[method-assign,assignment]


async def main(folder: Path, moment: str, count: int) -> None:
    """Describe everything, eight a tick."""
    clock, jobs, describer, killer = SystemClock(), JobRunner(), FakeDescriber(), Killer(count)
    strike_in(killer, moment)

    def asked(unique_id: str) -> None:
        with (folder / "asked").open("a", encoding="utf-8") as file:
            file.write(f"{unique_id}\n")
        if moment == "asked":
            killer.strike()

    describer.before = lambda item: asked(item.unique_id)
    budget = DescriptionBudget(clock.now)
    chain = MediaChain(MediaRecordFiles(folder / "state"), budget, clock, jobs.spawn, describer)
    while not all(one.has_words for one in (await chain.described(ITEMS, "Nora", 8.0)).values()):
        budget.expect_round(0.0)
    await jobs.aclose()


if __name__ == "__main__":
    asyncio.run(main(Path(sys.argv[1]), sys.argv[2], int(sys.argv[3])))
