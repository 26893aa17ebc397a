"""The program is killed while it describes a hundred media: no record is half written, and a model is asked again only
for what was open."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from chimein_gui.engine.media.sources import AT_ONCE
from tests.kills.media_program import COUNT

ROOT = Path(__file__).parents[2]
NEVER = 1_000_000


def run(folder: Path, moment: str, count: int) -> int:
    command = [sys.executable, "-m", "tests.kills.media_program", str(folder), moment, str(count)]
    return subprocess.run(command, cwd=ROOT, check=False, timeout=120).returncode


def asked(folder: Path) -> list[str]:
    return (folder / "asked").read_text("utf-8").splitlines()


def described(folder: Path) -> set[str]:
    """Return what has a record; each has to be complete."""
    found = {}
    for path in (folder / "state/media").glob("*.json"):
        found[path.stem] = json.loads(path.read_text("utf-8"))
    assert all(one["description"] == f"by the model: {number}" for number, one in found.items())
    assert all(one["status"] == "generated" for one in found.values())
    return set(found)


@pytest.mark.gate_slow
@pytest.mark.parametrize("moment", ["asked", "writing", "written"])
def test_what_is_described_is_kept_and_only_what_was_open_is_asked_for_again(tmp_path: Path, moment: str) -> None:
    may_repeat: list[str] = []
    for count in (21, 38):
        before = len(asked(tmp_path)) if (tmp_path / "asked").exists() else 0
        assert run(tmp_path, moment, count) == -signal.SIGKILL
        is_open = set(asked(tmp_path)[before:]) - described(tmp_path)
        assert len(is_open) <= AT_ONCE
        may_repeat += sorted(is_open)
    assert run(tmp_path, moment, NEVER) == 0
    assert len(described(tmp_path)) == COUNT
    assert sorted(asked(tmp_path)) == sorted([*described(tmp_path), *may_repeat])
    assert not [path for path in (tmp_path / "state/media").iterdir() if path.suffix != ".json"]
