"""A new store is a copy of one that was made before: the migrations take 35 ms and sixty waits for the disk.

Thousands of tests open a store. The first one of a process runs the migrations in earnest; the others begin with a copy
of its file, which the store then opens, checks and goes on with like any file of this version. Tests of the migrations
themselves ask for `migrations_in_earnest`.
"""

from __future__ import annotations

import functools
import tempfile
from collections.abc import Callable
from pathlib import Path

import pytest

from chimein_gui.adapters.store import opening

_real: Callable[[Path], None] = opening._create


@functools.cache
def _new_file() -> bytes:
    """Return the file of a new store that was closed."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "new.db"
        _real(path)
        connection = opening._connect(path, "rwc")
        opening._prepare(connection)
        connection.close()
        return path.read_bytes()


def _create(path: Path) -> None:
    """Do what the real one does, and fill a file that is new."""
    _real(path)
    # Without the module for searches the migrations are run where it is missing.
    if path.stat().st_size == 0 and opening.has_trigrams():  # type: ignore[attr-defined]
        path.write_bytes(_new_file())


def pytest_collection_finish(session: pytest.Session) -> None:
    """Put the copy in place where tests run: not in the process that only hands them out."""
    if session.items:
        opening._create = _create


@pytest.fixture
def migrations_in_earnest(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let new stores of this test run all migrations."""
    monkeypatch.setattr(opening, "_create", _real)
