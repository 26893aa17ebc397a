"""The guards around every test bite: each bad test below fails for the reason named, and the good ones pass."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]

BAD = {
    "network": (
        (
            "network access refused: socket.connect to '192.0.2.1'",
            "network access refused: socket.getaddrinfo to 'chimein.invalid'",
            "network access refused: socket.bind to '0.0.0.0'",
        ),
        """
async def test_network():
    import contextlib, socket
    with contextlib.suppress(Exception), socket.socket() as sock:
        sock.connect(("192.0.2.1", 443))
    with contextlib.suppress(Exception):
        await asyncio.open_connection("chimein.invalid", 443)
    with contextlib.suppress(Exception):
        await asyncio.start_server(lambda reader, writer: None, "0.0.0.0", 0)
""",
    ),
    "logs": (
        ("unexpected log record: WARNING chimein_gui.x: surprise 7", "expected log record never came: never said"),
        """
def test_logs(expected_logs):
    expected_logs("never said")
    logging.getLogger("chimein_gui.x").warning("surprise %d", 7)
""",
    ),
    "qt_warning": (
        ("Qt messages with level WARNING or above emitted",),
        """
def test_qt_warning(qapp):
    qWarning("Qt grumbles")
""",
    ),
    "open_file": (
        ("ResourceWarning: unclosed file",),
        """
def test_open_file(tmp_path):
    handle = (tmp_path / "x").open("w")
    cycle = [handle]
    cycle.append(cycle)
""",
    ),
    "open_database": (
        ("ResourceWarning: unclosed database",),
        """
def test_open_database(tmp_path):
    import sqlite3
    database = sqlite3.connect(tmp_path / "x.db")
    database.execute("create table x (y)")
""",
    ),
    "leaks": (
        ("top-level widget left", "running timer left: <PySide6.QtCore.QTimer", "child of <PySide6", "thread left"),
        """
def test_leaks(qapp, monkeypatch):
    global kept
    kept = QWidget(), QTimer(interval=3_600_000)
    kept[1].start()
    QTimer(qapp, interval=3_600_000).start()
    monkeypatch.setattr("tests.support.leak_guard._JOIN_S", 0.01)
    stop = threading.Event()
    threading.Thread(target=stop.wait, args=(5,)).start()
""",
    ),
    "task": (
        ("tasks still running after the test:",),
        """
@pytest.mark.qt_loop
async def test_task():
    global kept_task
    kept_task = asyncio.get_running_loop().create_task(asyncio.Event().wait(), name="forgotten")
""",
    ),
    "unretrieved": (
        ("Task exception was never retrieved",),
        """
async def test_unretrieved():
    async def fail():
        raise ValueError("lost")
    asyncio.get_running_loop().create_task(fail())
    await asyncio.sleep(0)
    await asyncio.sleep(0)
""",
    ),
    "hanging": (
        ("TimeoutError",),
        """
async def test_hanging(monkeypatch):
    await asyncio.Event().wait()
""",
    ),
    "own_failure": (
        ("assert 1 == 2",),
        """
def test_own_failure(qapp):
    widget = QWidget()
    logging.getLogger("x").error("side effect")
    assert 1 == 2
""",
    ),
    "hypothesis": (
        ("assert 100 < 100",),
        """
@given(st.integers())
async def test_hypothesis(number):
    await asyncio.sleep(0)
    assert number < 100
""",
    ),
}

GOOD = """
def test_a_logger_made_quiet(tmp_path):
    from chimein_gui.reporting.logs import start_logging, stop_logging
    start_logging(tmp_path)
    stop_logging()

def test_is_heard_by_the_next_test(caplog):
    caplog.set_level(logging.DEBUG)
    logging.getLogger("telethon.network").debug("heard")
    assert caplog.messages == ["heard"]

def test_environment():
    assert os.environ["QT_QPA_PLATFORM"] == "offscreen"
    assert not [name for name in os.environ if name.startswith(("GOOGLE_", "GEMINI_"))]
"""

THREE_KINDS = """
def test_of_the_gate():
    pass

@pytest.mark.gate_slow
def test_slow():
    pass

@pytest.mark.campaign
def test_long_run(request):
    assert request.config.getoption("--campaign")
"""

PRELUDE = """
import asyncio, logging, os, threading
import pytest
from hypothesis import given, strategies as st
from PySide6.QtCore import QTimer, qWarning
from PySide6.QtWidgets import QWidget
import tests.support.async_tests
tests.support.async_tests.GUARD_S = 0.5
"""


def _run_pytest(directory: Path, source: str, *more: str) -> str:
    """Run pytest in a process of its own, with this project's configuration and conftest, on one file."""
    test_file = directory / "test_planted.py"
    test_file.write_text(PRELUDE + source, "utf-8")
    environment = os.environ | {"PYTHONPATH": str(ROOT), "GOOGLE_API_KEY": "a key", "GEMINI_API_KEY": "a key"}
    command = [sys.executable, "-m", "pytest", "-c", str(ROOT / "pyproject.toml"), "--rootdir", str(directory)]
    options = ["-n", "0", "-p", "tests.conftest", "-p", "no:cacheprovider", *more, str(test_file)]
    done = subprocess.run(
        command + options, cwd=directory, env=environment, capture_output=True, text=True, timeout=120, check=False
    )
    return done.stdout + done.stderr


@pytest.fixture(scope="module")
def report_of_bad_tests(tmp_path_factory: pytest.TempPathFactory) -> str:
    return _run_pytest(tmp_path_factory.mktemp("bad"), "\n".join(source for _, source in BAD.values()))


@pytest.mark.parametrize("name", BAD)
def test_a_bad_test_fails_for_its_reason(name, report_of_bad_tests):
    reasons, _ = BAD[name]
    # One section for each failure: "____ test_name ____", or "ERROR at teardown of test_name".
    sections = report_of_bad_tests.split("\n____")
    own = [section for section in sections if f"test_{name} _" in section.partition("\n")[0]]
    assert own, report_of_bad_tests
    assert [reason for reason in reasons if not any(reason in section for section in own)] == [], own


def test_a_test_that_failed_by_itself_is_not_blamed_for_leaks_too(report_of_bad_tests):
    assert "ERROR at teardown of test_own_failure" not in report_of_bad_tests


def test_good_tests_pass(tmp_path):
    report = _run_pytest(tmp_path, GOOD)
    assert " 3 passed" in report, report
    assert "failed" not in report
    assert "error" not in report.lower()


@pytest.mark.parametrize(
    ("options", "outcome"),
    [
        ((), " 2 passed, 1 deselected"),
        (("-m", "not gate_slow"), " 1 passed, 2 deselected"),
        (("-m", "campaign"), " 3 deselected"),
        (("--campaign",), " 1 passed, 2 deselected"),
    ],
)
def test_only_its_own_option_begins_the_campaign(options, outcome, tmp_path):
    report = _run_pytest(tmp_path, THREE_KINDS, *options)
    assert outcome in report, report


def test_no_test_module_imports_another():
    """What two of them need stands in tests/support, or in a module beside them that holds no tests."""
    imports = re.compile(r"^(?:from|import) tests\.[\w.]*\btest_\w+", re.MULTILINE)
    found = {
        f"{path.relative_to(ROOT)}: {line}"
        for path in (ROOT / "tests").rglob("*.py")
        for line in imports.findall(path.read_text(encoding="utf-8"))
        if not line.endswith(path.stem)  # a process of its own may import the module that starts it
    }
    assert found == set()
