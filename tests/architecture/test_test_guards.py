"""The guards around every test bite: each bad test below fails for the reason named."""

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
}

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
from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QWidget
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
