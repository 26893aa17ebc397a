"""The long runs at full numbers never begin unless `--campaign` says so, whatever else selects tests.

A `-m` on the command line takes the place of a `-m` in the configuration. So no marker expression stands there: without
`--campaign` the tests of the campaign are deselected here, and with it all others are.
"""

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
