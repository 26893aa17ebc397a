"""What every test gets, and what every test must leave behind: nothing.

For people who write tests:

* `async def test_…` just works: it runs in asyncio's own loop, at most 300 s. No plugin, no decorator.
* `@pytest.mark.qt_loop` (or the fixture `qt_loop`, which gives the QApplication) runs an `async def` test in qasync's
  loop on the shared QApplication, with windows painted and slots called while it awaits. In such a test wait for a
  Future or an event; never call `qtbot.wait*`, which nests the loop. Fixtures are plain functions: one that needs the
  running loop returns `OpenedInLoop` (`tests/support/async_tests.py`).
* Hypothesis: `@given` may stand on `async def` tests; the profile `gate` (derandomised) is active, `campaign` with
  `--campaign`.
* `state_dir` is a fresh directory, also in `CHIMEIN_STATE_DIR`. HOME and all XDG directories are temporary.
* `expected_logs(r"WARNING chimein_gui.x: pattern")` allows and demands a log record; without it any record from
  WARNING up fails the test.
* A test also fails on: a Qt warning (`@pytest.mark.qt_no_exception_capture` and `qtlog` are pytest-qt's), any Python
  warning, a task, top-level widget, running QTimer, open database or non-daemon thread left behind, and any address
  that is not loopback, even where the program swallowed the refusal. Give windows to `qtbot.addWidget`.
* Markers: `campaign` (runs only with `--campaign`, whatever `-m` and `-k` say), `gate_slow` (takes some seconds, in the
  gate), `whole_window` and `with_panes` (of the panes' tests), `qt_loop`, `operation` (an entry of the check list, see
  `tests/support/checklist.py`).

The guards live in `tests/support/`, their own tests in `tests/architecture/test_test_guards.py`.
"""

import os
from pathlib import Path
from typing import TYPE_CHECKING

import hypothesis
import pytest

from tests.support import environment  # noqa: F401 -- sets the environment before anything imports Qt

if TYPE_CHECKING:
    from PySide6.QtWidgets import QApplication

pytest_plugins = [
    "tests.support.guards",
    "tests.support.async_tests",
    "tests.support.campaign",
    "tests.support.checklist",
    "tests.support.new_stores",
]

hypothesis.settings.register_profile("gate", derandomize=True, deadline=None, database=None)
hypothesis.settings.register_profile("campaign", deadline=None, database=None, max_examples=2_000)


def pytest_xdist_auto_num_workers() -> int:
    """Return one worker more than there are cores: tests of the whole program wait more than they compute."""
    return (os.cpu_count() or 1) + 1


def pytest_configure(config: pytest.Config) -> None:
    """Choose the hypothesis profile by what was selected."""
    hypothesis.settings.load_profile("campaign" if config.getoption("--campaign") else "gate")


@pytest.fixture(scope="session")
def qapp(qapp: "QApplication") -> "QApplication":
    """Return the application, with the plural forms of English: every window has them."""
    from chimein_gui.ui.shell.appearance.language import speak

    speak(qapp, "en")
    return qapp


@pytest.fixture
def state_dir(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a state directory of this test's own, also named in CHIMEIN_STATE_DIR."""
    path = tmp_path / "state"
    path.mkdir(mode=0o700)
    monkeypatch.setenv("CHIMEIN_STATE_DIR", str(path))
    return path
