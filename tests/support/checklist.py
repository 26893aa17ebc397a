"""The sandbox's check list: a table of what the unmodified clients are shown to do against it.

A test that is an entry has a marker with the operation or fault, and how the *other* side shows it.

    @pytest.mark.operation("messages.sendMessage: text with entities", "the partner's client hears the same entities")

One test may have several. `pytest --checklist FILE` writes the table with the result of each.
"""

from pathlib import Path

import pytest

_HEAD = "| # | operation or fault | seen on the other side by | test | |\n|---|---|---|---|---|\n"


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--checklist", type=Path, metavar="FILE", help="write the sandbox's check list as a table")


def pytest_configure(config: pytest.Config) -> None:
    if path := config.getoption("--checklist"):
        config.pluginmanager.register(_Report(path), "chimein-checklist")


class _Report:
    """Collects the entries and the outcome of their tests."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._entries: list[tuple[str, str, str, str]] = []
        self._passed: set[str] = set()

    def pytest_collection_finish(self, session: pytest.Session) -> None:
        for item in session.items:
            for mark in item.iter_markers("operation"):
                name, other_side = mark.args
                self._entries.append((item.nodeid, name, other_side, f"`{item.name}`"))

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        if report.when == "call" and report.passed:
            self._passed.add(report.nodeid)

    def pytest_sessionfinish(self) -> None:
        rows = (
            f"| {number} | {name} | {other_side} | {test} | {'passed' if node in self._passed else 'FAILED'} |\n"
            for number, (node, name, other_side, test) in enumerate(self._entries, 1)
        )
        self._path.write_text(_HEAD + "".join(rows), encoding="utf-8")
