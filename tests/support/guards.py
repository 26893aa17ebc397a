"""The one autouse fixture that surrounds every test with all guards, outermost of all fixtures."""

import gc
import logging
from collections.abc import Generator, Iterator

import pytest

from tests.support import leak_guard, network_guard
from tests.support.log_guard import ExpectedLogs, LogWatch


def pytest_collection_finish() -> None:
    """Take what collection imported out of the collector's sight: each test ends with a full collection."""
    gc.collect()
    gc.freeze()


_failed = pytest.StashKey[bool]()


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Note whether the test itself failed: its traceback keeps things alive, which is then no leak to report."""
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
    try:
        yield
        wrong = leaks.leaks()
    finally:
        logging.getLogger().removeHandler(watch)
    wrong += [f"network access refused: {attempt}" for attempt in network_guard.take_attempts()]
    wrong += _expected_logs_of_this_test.verdict()
    if wrong and not request.node.stash.get(_failed, False):
        pytest.fail("\n".join(wrong), pytrace=False)


@pytest.fixture
def _expected_logs_of_this_test() -> ExpectedLogs:
    return ExpectedLogs()


@pytest.fixture
def expected_logs(_expected_logs_of_this_test: ExpectedLogs) -> ExpectedLogs:
    """Allow, and demand, log records: `expected_logs(r"WARNING chimein_gui.engine.outbox: .* unknown")`."""
    return _expected_logs_of_this_test
