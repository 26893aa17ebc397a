"""Reports of crashes: bounded in number and size, one a place, taken over once; no disk, no trouble."""

from __future__ import annotations

import faulthandler
import os
import sys
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from chimein_gui.reporting import crash_file
from chimein_gui.reporting.crash_file import CrashFile, crashes_written
from chimein_gui.reporting.crash_reports import ENDED, KEPT, MAX_BYTES, OPEN, SHOWN_CHARS, take_over
from chimein_gui.reporting.redaction import Redaction
from tests.support.log_guard import ExpectedLogs

HEAD = "Chimein: what went wrong.\nChimein 0.1.0, process 1, started 2026-11-23T00:00:00Z\n"
FAULT = "Fatal Python error: Segmentation fault\n\nCurrent thread 0x1 (most recent call first):\n"


@pytest.fixture
def file(tmp_path: Path) -> Iterator[CrashFile]:
    had_handler = faulthandler.is_enabled()
    made = CrashFile(tmp_path, Redaction())
    made.open()
    yield made
    made.close(in_order=True)
    if had_handler and sys.__stderr__ is not None:
        faulthandler.enable(sys.__stderr__)


def raised(words: str = "something", kind: type[Exception] = RuntimeError) -> Exception:
    try:
        raise kind(words)
    except kind as error:
        return error


def names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


@pytest.mark.parametrize("left", ["", HEAD, HEAD[:20]], ids=["nothing", "versions", "half of them"])
def test_what_a_kill_leaves_is_no_report(tmp_path: Path, left: str) -> None:
    (tmp_path / OPEN).write_text(left)
    assert take_over(tmp_path) is None
    assert names(tmp_path) == []


def test_a_fault_is_taken_over_once(tmp_path: Path) -> None:
    (tmp_path / OPEN).write_text(HEAD + FAULT)
    os.utime(tmp_path / OPEN, (1_795_400_000, 1_795_400_000))
    report = take_over(tmp_path)
    assert report is not None
    assert (report.path.name, report.ended) == ("crash-20261123T021320Z.txt", True)
    assert report.path.read_text() == HEAD + FAULT + "\nWritten last 2026-11-23T02:13:20Z\n"
    assert report.text == HEAD + FAULT
    assert take_over(tmp_path) is None
    assert names(tmp_path) == [report.path.name]


def test_five_are_kept_and_none_grows(tmp_path: Path) -> None:
    (tmp_path / "chimein.log").write_text("stays")
    for number in range(KEPT + 3):
        (tmp_path / OPEN).write_text(HEAD + FAULT + "  File\n" * 100_000)
        os.utime(tmp_path / OPEN, (1_795_400_000 + number, 1_795_400_000 + number))
        report = take_over(tmp_path)
        assert report is not None
        assert report.path.stat().st_size <= MAX_BYTES + 100
        assert len(report.text) <= SHOWN_CHARS + 10
    assert [name[-8:-5] for name in names(tmp_path)[1:]] == ["323", "324", "325", "326", "327"]


def test_the_window_shows_versions_and_what_came_last(tmp_path: Path) -> None:
    other = "Thread 0x2 (most recent call first):\n" + "  File\n" * 3000
    (tmp_path / OPEN).write_text(f"{HEAD}Fatal Python error: Aborted\n\n{other}\nCurrent thread 0x1: here\n")
    report = take_over(tmp_path)
    assert report is not None
    assert report.text.startswith(HEAD)
    assert report.text.endswith("Current thread 0x1: here\n")


def test_a_report_is_bounded_whatever_an_exception_says(
    tmp_path: Path, file: CrashFile, expected_logs: ExpectedLogs, monkeypatch: pytest.MonkeyPatch
) -> None:
    expected_logs("nobody caught it")
    monkeypatch.setattr(crash_file, "MOST_NOTES", 1000)
    for number in range(60):
        code = compile("raise RuntimeError('line\\n' * 5000 + 'x' * 100000)", f"module_{number}.py", "exec")
        with pytest.raises(RuntimeError) as caught:
            exec(code, {})
        file.note(caught.value)
    size = (tmp_path / OPEN).stat().st_size
    assert 20_000 < size < MAX_BYTES


def test_the_end_is_told_though_enough_was_told_before(
    tmp_path: Path, file: CrashFile, expected_logs: ExpectedLogs, monkeypatch: pytest.MonkeyPatch
) -> None:
    expected_logs("nobody caught it")
    expected_logs(ENDED)
    monkeypatch.setattr(crash_file, "MOST_NOTES", 1)
    file.note(raised())
    file.note(raised(kind=LookupError))
    file.note(raised(kind=ValueError), has_ended=True)
    text = (tmp_path / OPEN).read_text()
    assert ("LookupError" in text, f"ValueError: {ENDED}\n" in text) == (False, True)
    file.close(in_order=False)
    report = take_over(tmp_path)
    assert report is not None
    assert report.ended


def test_hooks_are_there_only_as_long_as_the_program(tmp_path: Path) -> None:
    before = (sys.excepthook, threading.excepthook, sys.unraisablehook, faulthandler.is_enabled())
    with crashes_written(tmp_path, Redaction()):
        assert sys.excepthook is not before[0]
        assert faulthandler.is_enabled()
    assert (sys.excepthook, threading.excepthook, sys.unraisablehook, faulthandler.is_enabled()) == before
