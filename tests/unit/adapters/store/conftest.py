"""The store that tests of the store ask for."""

from pathlib import Path

import pytest

from tests.support.async_tests import OpenedInLoop
from tests.unit.adapters.store.builders import opened


@pytest.fixture
def store(tmp_path: Path) -> OpenedInLoop:
    """Return an empty store."""
    return OpenedInLoop(opened(tmp_path))
