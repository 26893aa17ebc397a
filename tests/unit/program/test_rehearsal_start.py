"""The sandbox as operators start it: its model takes its time; tests and the tour do not wait for it."""

from __future__ import annotations

from contextlib import AsyncExitStack
from pathlib import Path
from typing import TYPE_CHECKING, Any

from chimein_gui import app, program
from chimein_gui.directories import Directories

if TYPE_CHECKING:
    import pytest


async def test_the_model_thinks_where_an_operator_looks_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    started: list[program.Kind] = []
    thought: list[Any] = []

    async def outside(*_places: Any, thinking_s: tuple[float, float], **_more: Any) -> None:
        thought.append(thinking_s)

    monkeypatch.setattr(program, "run", lambda kind, _directories: started.append(kind))
    monkeypatch.setattr(app, "sandbox_outside", outside)
    program.run_sandbox()
    async with AsyncExitStack() as stack:
        for kind in (*started, program.SANDBOX):
            await kind.compose(Directories((tmp_path,), tmp_path), stack)
    assert thought == [(1.5, 3.0), (0.0, 0.0)]
