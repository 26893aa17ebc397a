"""A damaged file of weights: sessions by time, and a line for the operator (SPEC §4)."""

from __future__ import annotations

import logging
from dataclasses import replace
from pathlib import Path

import pytest

from chimein_gui import link_weights
from chimein_gui.adapters.store.store import SqliteStore
from chimein_gui.domain.events import EngineEvent, FaultReported
from chimein_gui.engine.engine import Engine, Setup
from chimein_gui.engine.jobs import JobRunner
from tests.fakes.clock import VirtualClock
from tests.fakes.model import FakeModel
from tests.fakes.telegram import FakeTelegram
from tests.support.engine_room import QUICK


def test_the_file_that_ships_can_be_read() -> None:
    model, fault = link_weights.load_link_model()
    assert model is not None
    assert fault == ""


@pytest.mark.parametrize("content", [b"", b"no weights", None])
def test_a_damaged_or_missing_file_is_a_fault(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture, content: bytes | None
) -> None:
    file = tmp_path / "link_model.npz"
    if content is not None:
        file.write_bytes(content)
    monkeypatch.setattr(link_weights, "resource_path", lambda *_parts: file)
    with caplog.at_level(logging.CRITICAL):
        model, fault = link_weights.load_link_model()
    assert model is None
    assert "missing or damaged" in fault


async def test_the_operator_is_told(tmp_path: Path) -> None:
    clock, jobs, events = VirtualClock(), JobRunner(), list[EngineEvent]()
    store = await SqliteStore.open(tmp_path / "chimein.db", now=clock.now)
    setup = Setup(store, FakeTelegram(clock).factory, FakeModel(), clock, jobs, QUICK)
    engine = Engine(replace(setup, link_model_fault="The file is damaged."))
    engine.subscribe(events.append)
    try:
        await engine.start()
        (line,) = [event for event in events if isinstance(event, FaultReported)]
        assert (line.key, line.cause) == ("context", "The file is damaged.")
        assert "silence of an hour" in line.remedy
    finally:
        await engine.aclose()
        await jobs.aclose()
        await store.aclose()
