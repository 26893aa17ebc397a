"""The program in a process of its own."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

TIMEOUT_S = 180


def environment(folder: Path, **more: str) -> dict[str, str]:
    keep = {
        name: value
        for name, value in os.environ.items()
        if not name.startswith(("QT_QPA", "DISPLAY", "WAYLAND", "CHIMEIN", "GEMINI", "GOOGLE"))
    }
    return {**keep, "CHIMEIN_STATE_DIR": str(folder / "state"), **more}


def start(folder: Path, *arguments: str) -> subprocess.Popen[str]:
    """Start the program offscreen and return once it holds its state directory and has something to show."""
    process = subprocess.Popen(
        [sys.executable, "-m", "chimein_gui", *arguments],
        cwd=folder,
        env={
            **environment(folder, QT_QPA_PLATFORM="offscreen", CHIMEIN_READY="1"),
            "PYTHONPATH": str(Path(__file__).parents[2]),
        },
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    assert process.stdout is not None
    assert process.stdout.readline().strip() == "ready"
    return process


def finish(process: subprocess.Popen[str]) -> tuple[int, str]:
    _, errors = process.communicate(timeout=TIMEOUT_S)
    return process.returncode, errors
