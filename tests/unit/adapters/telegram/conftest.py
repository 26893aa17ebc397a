"""The sandbox that tests of the Telegram adapter ask for."""

from pathlib import Path

import pytest

from tests.support.async_tests import OpenedInLoop
from tests.unit.adapters.telegram.logins import login_setup
from tests.unit.adapters.telegram.support import stage


@pytest.fixture
def it(tmp_path: Path) -> OpenedInLoop:
    """Return a sandbox in memory, with a wire to it."""
    return OpenedInLoop(stage(tmp_path))


@pytest.fixture
def at(tmp_path: Path) -> OpenedInLoop:
    """Return a sandbox where people can log in."""
    return OpenedInLoop(login_setup(tmp_path))
