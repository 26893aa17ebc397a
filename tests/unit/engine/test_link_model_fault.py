"""A damaged file of weights: sessions by time, and a line for the operator."""

from __future__ import annotations

import logging
from dataclasses import replace
from pathlib import Path

import pytest

from chimein_gui import app
from chimein_gui.domain.events import FaultReported
from chimein_gui.domain.notes import Note
from chimein_gui.domain.notes.faults import FaultReason
from chimein_gui.engine.settings.setup import Setup
from tests.support.engine_room import engine_room


@pytest.mark.parametrize("content", [b"", b"no weights", None])
def test_a_damaged_or_missing_file_is_a_fault(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture, content: bytes | None
) -> None:
    file = tmp_path / "link_model.npz"
    if content is not None:
        file.write_bytes(content)
    monkeypatch.setattr(app, "resource_path", lambda *_parts: file)
    with caplog.at_level(logging.CRITICAL):
        model, is_broken = app.load_link_model()
    assert model is None
    assert is_broken


async def test_the_operator_is_told(tmp_path: Path) -> None:
    def adjust(setup: Setup) -> Setup:
        return replace(setup, link_model_is_broken=True)

    async with engine_room(tmp_path, adjust=adjust) as room:
        (line,) = [event for event in room.events if isinstance(event, FaultReported)]
        assert (line.key, line.cause) == ("context", Note(FaultReason.WEIGHTS_UNUSABLE))
        assert line.remedy == Note(FaultReason.TIME_GAPS)
