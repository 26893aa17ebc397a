"""What kills the program is written down without secrets, and said once by the next start."""

from __future__ import annotations

import asyncio
import ctypes
import json
import signal
import stat
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from chimein_gui.directories import Directories
from chimein_gui.engine.ports.secrets import API_HASH, API_ID, MODEL_KEY
from chimein_gui.secret_sources import sandbox_secrets
from tests.e2e.canaries import Canaries
from tests.e2e.crash_run import CANARIES, HASH, KEY
from tests.e2e.processes import TIMEOUT_S, environment, finish, start

pytestmark = pytest.mark.gate_slow

NEWS = "Chimein ended unexpectedly."


def run(state: Path, action: str) -> tuple[int, str, str]:
    """Run the program until it has come to the harm it is meant to; returns how it ended and what it printed."""
    command = [sys.executable, "-m", "tests.e2e.crash_run", str(state), action]
    surroundings = environment(state.parent, QT_QPA_PLATFORM="offscreen")
    root = Path(__file__).parents[2]
    result = subprocess.run(
        command, cwd=root, env=surroundings, capture_output=True, text=True, timeout=TIMEOUT_S, check=False
    )
    return result.returncode, result.stdout, result.stderr


def fault_of_main_thread(process: subprocess.Popen[str]) -> None:
    """Let the main thread fault: the signal of a process may reach a thread that has no frames of Python."""
    libc = ctypes.CDLL(None)
    if hasattr(libc, "tgkill"):
        assert libc.tgkill(process.pid, process.pid, signal.SIGSEGV) == 0
    else:
        process.send_signal(signal.SIGSEGV)


def look(state: Path) -> dict[str, Any]:
    """Start again; returns what the window says."""
    code, out, errors = run(state, "look")
    assert (code, errors) == (0, "")
    told: dict[str, Any] = json.loads(out)
    told["bars"] = [bar for bar in told["bars"] if bar[0] == "crash"]
    return told


def names(state: Path) -> list[str]:
    return sorted(path.name for path in (state / "logs").glob("crash*"))


def no_secret_in(state: Path, *texts: str) -> None:
    canaries = Canaries(dict(CANARIES))
    for text in texts:
        canaries.look("a stream", text)
    assert canaries.found() == []
    assert canaries.found_in_files(state / "logs") == []


def new_report(state: Path) -> str:
    path = state / "logs" / "crash-new.txt"
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert stat.S_IMODE(path.parent.stat().st_mode) == 0o700
    text = path.read_text(encoding="utf-8")
    for word in ("Chimein 0.", "Python 3.", "Qt 6.", "PySide6 6.", "Telethon 1.", "started 20"):
        assert word in text
    return text


def test_a_fault_of_the_command_is_written_down_and_said_once(tmp_path: Path) -> None:
    state = tmp_path / "state-sandbox"
    state.mkdir(mode=0o700)
    secrets = sandbox_secrets(Directories((), state))
    asyncio.run(secrets.put_all({MODEL_KEY: KEY, API_ID: "7654321", API_HASH: HASH}))
    process = start(tmp_path, "sandbox")
    fault_of_main_thread(process)
    code, errors = finish(process)
    assert code == -signal.SIGSEGV
    report = new_report(state)
    assert "Fatal Python error: Segmentation fault" in report
    assert "Stack (most recent call first):" in report
    assert "program.py" in report
    no_secret_in(state, errors)

    told = look(state)
    [name] = names(state)
    [(_, cause, consequence)] = told["bars"]
    assert cause == NEWS
    assert "Nothing is lost" in consequence
    assert consequence.endswith(f"Report: {state / 'logs' / name}")
    assert told["visible"]
    assert f"Show report: {NEWS}" in told["buttons"]
    assert f"Open folder: {NEWS}" in told["buttons"]
    assert any(spoken.startswith(f"Problem: {NEWS}") for spoken in told["spoken"])
    assert look(state)["bars"] == []
    assert names(state) == [name]
    assert stat.S_IMODE((state / "logs" / name).stat().st_mode) == 0o600


@pytest.mark.parametrize(
    ("action", "code", "words"), [("segfault", -11, "Segmentation fault"), ("abort", -6, "Aborted")]
)
def test_a_fault_with_secrets_in_its_hands(tmp_path: Path, action: str, code: int, words: str) -> None:
    state = tmp_path / "state"
    ended, out, errors = run(state, action)
    assert ended == code
    report = new_report(state)
    assert f"Fatal Python error: {words}" in report
    assert f"in {action}\n" in report, "the frame in which it happened"
    no_secret_in(state, out, errors)


def test_an_exception_that_ends_it_is_written_down_without_the_secrets_in_its_words(tmp_path: Path) -> None:
    state = tmp_path / "state"
    code, out, errors = run(state, "raise")
    assert code == 1
    report = new_report(state)
    assert "KeyError: the program ended by it" in report
    assert "RuntimeError: [secret], " in report, "what it came from"
    assert "in raise_it" in report
    assert "2 1234" not in report
    assert "\n== forged" not in report
    assert "\nFatal" not in report
    no_secret_in(state, out, errors)
    assert "KeyError: '[secret]'" in errors, "whoever has started it from a terminal reads it there, too"
    assert look(state)["bars"][0][1] == NEWS


def test_what_nobody_catches_is_written_down_once_a_place_and_the_program_goes_on(tmp_path: Path) -> None:
    state = tmp_path / "state"
    code, out, errors = run(state, "slots")
    assert code == 0
    report = new_report(state)
    kinds = [line.split()[2].rstrip(":") for line in report.splitlines() if line.startswith("== ")]
    assert sorted(kinds) == ["ArithmeticError", "LookupError", "RuntimeError", "ValueError"]
    assert "Ended in order" in report
    assert "\nFatal" not in report
    no_secret_in(state, out, errors)
    [(_, cause, _)] = look(state)["bars"]
    assert cause == "Chimein recovered from an internal error."


def test_an_orderly_end_and_a_kill_leave_nothing_to_tell(tmp_path: Path) -> None:
    state = tmp_path / "state"
    assert run(state, "end")[0] == 0
    assert names(state) == []
    assert run(state, "kill")[0] == -9
    assert look(state)["bars"] == []
    assert names(state) == []


def test_without_a_folder_for_the_logs_it_runs_all_the_same(tmp_path: Path) -> None:
    state = tmp_path / "state"
    state.mkdir(mode=0o700)
    (state / "logs").write_text("in the way", encoding="utf-8")
    code, out, errors = run(state, "slots")
    assert code == 0
    assert "would leave no report" in errors
    assert errors.count("the log is not complete") == 1
    assert "Logging error" not in errors
    no_secret_in(state.parent, out, errors)


def test_on_a_full_disk_the_log_says_once_that_it_is_not_complete(tmp_path: Path) -> None:
    state = tmp_path / "state"
    code, _, errors = run(state, "slots on a full disk")
    assert code == 0
    assert errors.count("the log is not complete: No space left on device") == 1
    assert "OSError" not in errors
