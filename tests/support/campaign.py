"""Long runs at full size start only with `--campaign`, whatever else selects tests.

A `-m` on the command line replaces the `-m` of the configuration, so the configuration has no marker expression:
without `--campaign` the tests of the campaign are deselected here, and with it all others are.
"""

import faulthandler

import pytest


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--campaign", action="store_true", help="run the long runs at full numbers, and nothing else")


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    wanted: bool = config.getoption("--campaign")
    chosen: list[pytest.Item] = []
    others: list[pytest.Item] = []
    for item in items:
        (chosen if (item.get_closest_marker("campaign") is not None) == wanted else others).append(item)
    if others:
        config.hook.pytest_deselected(items=others)
        items[:] = chosen


def pytest_runtest_setup(item: pytest.Item) -> None:
    """Take off the end that pyproject.toml sets to each test: long runs may be long."""
    if item.get_closest_marker("campaign") is not None:
        faulthandler.cancel_dump_traceback_later()
