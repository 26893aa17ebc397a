"""The autouse fixture with all guards, which runs around every test and outside of all other fixtures."""

import gc
import logging
from collections.abc import Generator, Iterator
from functools import partial

import pytest
from pytestqt.qtbot import QtBot

from tests.support import leak_guard, network_guard
from tests.support.log_guard import ExpectedLogs, LogWatch

_MANY_OBJECTS = 5_000
"""Number of new live objects from which imports, or caches of a module's first use, are assumed."""


def pytest_configure() -> None:
    """Set what is checked after every test."""
    leak_guard.tell_of_open_databases()


def pytest_collection_finish() -> None:
    """Exclude the imports of the collection from the garbage collector: each test ends with a full collection."""
    gc.collect()
    gc.freeze()


def _freeze_what_stays() -> None:
    """Do the same with imports of tests: one vendor's modules cost each later test 100 ms.

    The guards miss nothing: this test has been checked already, and unreferenced objects are freed as ever.
    """
    if len(gc.get_objects()) > _MANY_OBJECTS:
        gc.freeze()


_PATIENCE_MS = 60_000
"""Default time limit of waits for Qt; the five seconds of pytest-qt are too short on a busy machine."""


@pytest.fixture
def qtbot(qtbot: QtBot, monkeypatch: pytest.MonkeyPatch) -> QtBot:
    """Return pytest-qt's, with a longer time-out."""
    for name in ("waitUntil", "waitSignal"):
        monkeypatch.setattr(qtbot, name, partial(getattr(qtbot, name), timeout=_PATIENCE_MS))
    return qtbot


_QUIETED = ("", "telethon", "httpx2", "httpcore2", "google_genai", "watchfiles")
"""Loggers whose level the program sets at its start; it is reset after each test."""


_failed = pytest.StashKey[bool]()


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Store whether the test itself failed: its traceback keeps objects alive, and these are no leak."""
    report = yield
    if report.failed:
        item.stash[_failed] = True
    return report


@pytest.fixture(autouse=True)
def _guards(request: pytest.FixtureRequest, _expected_logs_of_this_test: ExpectedLogs) -> Iterator[None]:
    watch = LogWatch(_expected_logs_of_this_test)
    leaks = leak_guard.LeakWatch()
    network_guard.take_attempts()
    logging.getLogger().addHandler(watch)
    levels = {name: logging.getLogger(name).level for name in _QUIETED}
    try:
        yield
        wrong = leaks.leaks()
    finally:
        logging.getLogger().removeHandler(watch)
        for name, level in levels.items():
            # Setting a level, even to what it is, empties the caches of all loggers.
            if logging.getLogger(name).level != level:
                logging.getLogger(name).setLevel(level)
    wrong += [f"network access refused: {attempt}" for attempt in network_guard.take_attempts()]
    wrong += _expected_logs_of_this_test.verdict()
    if request.node.stash.get(_failed, False):
        return
    if wrong:
        pytest.fail("\n".join(wrong), pytrace=False)
    _freeze_what_stays()


@pytest.fixture
def _expected_logs_of_this_test() -> ExpectedLogs:
    return ExpectedLogs()


@pytest.fixture
def expected_logs(_expected_logs_of_this_test: ExpectedLogs) -> ExpectedLogs:
    """Allow, and require, log records: `expected_logs(r"WARNING chimein_gui.engine.sending.outbox: .* unknown")`."""
    return _expected_logs_of_this_test
