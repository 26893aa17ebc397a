"""A damaged index of memories is noticed by the next search, which finds everything all the same."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Coroutine
from datetime import UTC, datetime
from typing import Any

import pytest

from chimein_gui.adapters.files.memory import MarkdownMemoryFiles
from chimein_gui.domain.ids import PeerId
from chimein_gui.domain.memory.entries import MemoryScope
from chimein_gui.domain.memory.files import entry_of
from chimein_gui.engine.core.clock import SystemClock
from chimein_gui.engine.core.event_bus import EventBus
from chimein_gui.engine.core.jobs import JobRunner
from chimein_gui.engine.memory.recall import MemoryRecall
from tests.support.memory_index import opened_index

AT = datetime(2026, 11, 18, tzinfo=UTC)
CHANGE_COUNTER = 24
"""Where SQLite's header says that the file has changed; with another one, nothing that was read before is used."""


def damage(path):
    with path.open("r+b") as file:
        file.seek(CHANGE_COUNTER)
        file.write(os.urandom(path.stat().st_size - CHANGE_COUNTER))


class Jobs(JobRunner):
    """Jobs that a test can wait for."""

    def __init__(self) -> None:
        super().__init__()
        self.tasks: list[asyncio.Task[None]] = []

    def spawn(self, job: Coroutine[Any, Any, None], *, name: str) -> asyncio.Task[None]:
        self.tasks.append(super().spawn(job, name=name))
        return self.tasks[-1]


@pytest.fixture
def state(tmp_path):
    for name, text in (("Nora", "Ben has a cat called Soot."), ("Ida", "Ada walks her dog at six.")):
        (tmp_path / name).mkdir()
        entry = entry_of(text, at=AT, provenance="chat 7", key="1.0@x")
        (tmp_path / name / "memory.md").write_text(entry, encoding="utf-8")
    return tmp_path


async def test_a_damaged_index_is_made_anew_from_all_files(state):
    path, jobs = state / "memory_index.db", Jobs()
    async with opened_index(path) as index:
        recall = MemoryRecall(index, MarkdownMemoryFiles(state), SystemClock(), jobs.spawn, EventBus())
        await recall.index_all(["Nora", "Ida"], are_all=True)
        damage(path)
        found = await recall.recall(MemoryScope("Nora", PeerId(7), None), "Ben's kitten")
        assert [one.entry.text for one in found.best] == ["Ben has a cat called Soot."]
        await asyncio.gather(*jobs.tasks)
        status = await index.status()
        assert (status.entries, status.stale) == (2, False)


async def test_an_index_that_is_damaged_between_two_starts_is_made_anew(state):
    path, jobs = state / "memory_index.db", Jobs()
    async with opened_index(path) as index:
        recall = MemoryRecall(index, MarkdownMemoryFiles(state), SystemClock(), jobs.spawn, EventBus())
        await recall.index_all(["Nora", "Ida"], are_all=True)
        damage(path)
        await recall.index_all(["Nora"], are_all=True)
        status = await index.status()
        assert (status.entries, status.stale) == (1, False)
