"""One sandbox and one zygote for all kill tests; each test has people of its own."""

from __future__ import annotations

import sys
from collections.abc import Iterator

import pytest

from tests.kills.processes import Sandbox, sandbox_process

PEOPLE = 150


@pytest.fixture(scope="session")
def sandbox(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Sandbox]:
    """Return the running sandbox."""
    if sys.platform == "win32":
        pytest.skip("there is no kill -9")
    with sandbox_process(tmp_path_factory.mktemp("kills"), PEOPLE) as running:
        yield running
