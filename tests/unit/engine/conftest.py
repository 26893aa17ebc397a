"""The rooms that tests of the engine ask for."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from contextlib import AbstractAsyncContextManager
from pathlib import Path
from typing import Any

import pytest

from tests.support.agent_files_room import write
from tests.support.async_tests import OpenedInLoop
from tests.support.decision_room import DecisionRoom, decision_room
from tests.support.engine_room import Room, engine_room
from tests.support.group_room import group_room
from tests.support.ingest_room import IngestRoom, ingest_room
from tests.support.login_room import LoginServices, login_room
from tests.support.planning_room import PlanningRoom, planning_room
from tests.support.send_room import SendRoom, send_room
from tests.support.wired_room import wired_room

_ROOMS: dict[type, Callable[[Path], AbstractAsyncContextManager[Any]]] = {
    DecisionRoom: decision_room,
    IngestRoom: ingest_room,
    LoginServices: login_room,
    PlanningRoom: planning_room,
    Room: engine_room,
    SendRoom: send_room,
}
"""How each kind of room is opened."""


@pytest.fixture
def room(request: pytest.FixtureRequest, tmp_path: Path) -> OpenedInLoop:
    """Return a room of the kind that the test annotates, in the test's own folder."""
    kind = inspect.get_annotations(request.function, eval_str=True)["room"]
    return OpenedInLoop(_ROOMS[kind](tmp_path))


@pytest.fixture
def here(tmp_path: Path) -> OpenedInLoop:
    """Return a group with one agent in it."""
    return OpenedInLoop(group_room(tmp_path))


@pytest.fixture
def wired(tmp_path: Path) -> OpenedInLoop:
    """Return an engine with the real client before the sandbox's server."""
    return OpenedInLoop(wired_room(tmp_path))


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Return a directory whose config holds the role prompt that agent files name."""
    write(tmp_path / "config/prompts/Person.md", "You are a person.")
    return tmp_path
