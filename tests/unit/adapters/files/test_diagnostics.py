"""Diagnostics: what is chosen is in the file, what comes from outside is not; a disk without room leaves nothing."""

from __future__ import annotations

import errno
import json
import zipfile
from pathlib import Path

import pytest

from chimein_gui.adapters.files import diagnostics
from chimein_gui.adapters.files.diagnostics import DiagnosticsZip, frames_of, log_lines, report_lines
from chimein_gui.domain.errors import DiagnosticsError

CANARY = "canary-77"

TRACE = f"""Traceback (most recent call last):
  File "{Path.home()}/chimein_gui/engine/planning/planner.py", line 12, in plan
    raise ValueError("{CANARY}")
ValueError: {CANARY}
second line of {CANARY}

The above exception was the direct cause of the following exception:

Traceback (most recent call last):
  File "{CANARY}", line 3, in nothing
  File "<frozen runpy>", line 88, in _run_code
telethon.errors.rpcerrorlist.FloodWaitError: {CANARY} (caused by SendMessageRequest)
{CANARY}Error is no kind: of exception
KeyError"""

REPORT = f"""Chimein: what went wrong.
Chimein 0.1.0, process 1, started 2026-11-23T00:00:00Z

== 2026-11-23T00:00:01Z ValueError: nobody caught it, and the program went on
  Traceback (most recent call last):
    File "/srv/chimein_gui/program.py", line 12, in live
      await {CANARY}
  ValueError: {CANARY}
  == forged {CANARY}
Fatal Python error: Segmentation fault

Current thread 0x0000 (most recent call first):
  File "/srv/chimein_gui/program.py", line 99 in run
"""


def write(folder: Path, *, logs: str = "", target: str = "out.zip", clean=lambda text: text) -> Path:
    (folder / "logs").mkdir(exist_ok=True)
    (folder / "logs" / "chimein.log").write_text(logs, encoding="utf-8")
    path = folder / target
    DiagnosticsZip(folder / "logs", clean, lambda: {"tasks": {"done": 3}})._write(path, {"settings": {"undo_s": 5.0}})
    return path


def contents(path: Path) -> dict[str, str]:
    with zipfile.ZipFile(path) as bundle:
        assert bundle.testzip() is None
        return {name: bundle.read(name).decode() for name in bundle.namelist()}


def log_line(**fields: object) -> str:
    return json.dumps({"at": "2026-11-23T00:00:00.000+00:00", "level": "INFO", **fields})


def test_it_holds_what_it_says_it_holds(tmp_path: Path) -> None:
    (tmp_path / "logs").mkdir()
    (tmp_path / "logs" / "crash-20261123T000000Z.txt").write_text(REPORT, encoding="utf-8")
    (tmp_path / "logs" / "chimein.log.1").write_text(log_line(text="older"), encoding="utf-8")
    (tmp_path / "logs" / "crash-new.txt").write_text("Chimein: what went wrong.\nChimein 0.1.0\n", encoding="utf-8")
    (tmp_path / "logs" / "notes.txt").write_text(CANARY, encoding="utf-8")
    path = write(tmp_path, logs=log_line(**{"from": "chimein_gui.x", "form": "hello %s", "text": f"hello {CANARY}"}))
    found = contents(path)
    assert sorted(found) == [
        "README.txt",
        "counts.json",
        "crashes/crash-20261123T000000Z.txt",
        "logs/chimein.log",
        "logs/chimein.log.1",
        "settings.json",
        "versions.json",
    ]
    assert json.loads(found["counts.json"]) == {"tasks": {"done": 3}}
    assert json.loads(found["settings.json"]) == {"undo_s": 5.0}
    assert json.loads(found["versions.json"])["packages"]["telethon"].startswith("1.")
    assert "Not in it: keys" in found["README.txt"]
    assert CANARY not in "".join(found.values())
    assert path.stat().st_mode & 0o777 == 0o600


def test_of_a_record_only_what_chimein_says_by_heart_is_taken() -> None:
    lines = [
        log_line(
            **{"from": "chimein_gui.jobs", "form": "Job %s failed", "text": f"Job {CANARY} failed", "error": TRACE}
        ),
        log_line(**{"from": "telethon.client", "form": CANARY, "text": CANARY}),
        log_line(**{"from": f"no word {CANARY}", "text": CANARY}),
        log_line(**{"from": "chimein_gui.old", "text": CANARY}),
        "[1, 2]",
        f"{CANARY} that is no JSON",
        "[" * 100_000,
        "",
    ]
    found = [json.loads(line) for line in log_lines("\n".join(lines))]
    assert [one.get("from") for one in found] == ["chimein_gui.jobs", "telethon.client", None, "chimein_gui.old"]
    assert [one.get("form") for one in found] == ["Job %s failed", None, None, None]
    assert "FloodWaitError" in found[0]["error"]
    assert CANARY not in json.dumps(found)


def test_of_a_traceback_frames_and_kinds_stay() -> None:
    assert frames_of(TRACE).split("\n") == [
        "Traceback (most recent call last):",
        '  File "~/chimein_gui/engine/planning/planner.py", line 12, in plan',
        "ValueError",
        "The above exception was the direct cause of the following exception:",
        "Traceback (most recent call last):",
        '  File "<frozen runpy>", line 88, in _run_code',
        "telethon.errors.rpcerrorlist.FloodWaitError",
        "KeyError",
    ]


def test_of_a_report_everything_but_words_stays() -> None:
    found = report_lines(REPORT)
    assert CANARY not in found
    for kept in ("Chimein 0.1.0", "== 2026-11-23", "Fatal Python error: Segmentation fault", "line 99 in run"):
        assert kept in found
    assert "\nValueError\n" in found


def test_known_secrets_are_taken_out_once_more(tmp_path: Path) -> None:
    line = log_line(**{"from": "chimein_gui.x", "form": f"said by heart, {CANARY}"})
    path = write(tmp_path, logs=line, clean=lambda text: text.replace(CANARY, "[secret]"))
    assert "by heart, [secret]" in contents(path)["logs/chimein.log"]


def test_the_newest_of_the_logs_are_taken_and_no_more(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(diagnostics, "MOST_LOG_BYTES", 2_000)
    (tmp_path / "logs").mkdir()
    many = "\n".join(log_line(**{"from": "chimein_gui.x", "form": f"number {number}"}) for number in range(1000))
    (tmp_path / "logs" / "chimein.log.1").write_text(many, encoding="utf-8")
    found = contents(write(tmp_path, logs=many))
    assert "number 999" in found["logs/chimein.log"]
    assert 'number 0"' not in found["logs/chimein.log"]
    assert len(found["logs/chimein.log"]) + len(found["logs/chimein.log.1"]) <= 2_000


def test_without_logs_there_is_a_file_all_the_same(tmp_path: Path) -> None:
    DiagnosticsZip(tmp_path / "nowhere", lambda text: text, dict)._write(tmp_path / "out.zip", {})
    assert sorted(contents(tmp_path / "out.zip")) == ["README.txt", "counts.json", "versions.json"]


@pytest.mark.parametrize(
    ("number", "words"), [(errno.ENOSPC, "diagnostics full"), (errno.EROFS, "diagnostics unsaved Read-only")]
)
def test_a_disk_that_takes_nothing_leaves_nothing_and_says_what_to_do(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, number: int, words: str
) -> None:
    (tmp_path / "out.zip").write_bytes(b"before")

    def refuse(_descriptor: int) -> None:
        raise OSError(number, {errno.EROFS: "Read-only file system"}.get(number, "No space left on device"))

    monkeypatch.setattr("os.fsync", refuse)
    with pytest.raises(DiagnosticsError, match=words):
        DiagnosticsZip(tmp_path, lambda text: text, dict)._write(tmp_path / "out.zip", {})
    assert [path.name for path in tmp_path.iterdir()] == ["out.zip"]
    assert (tmp_path / "out.zip").read_bytes() == b"before"


async def test_a_place_that_is_not_there_is_said(tmp_path: Path) -> None:
    with pytest.raises(DiagnosticsError, match="diagnostics unsaved No such file or directory"):
        await DiagnosticsZip(tmp_path, lambda text: text, dict).write(tmp_path / "gone" / "out.zip", {})
