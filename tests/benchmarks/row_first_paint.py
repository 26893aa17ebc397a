"""first_paint: start of the process to the first painted frame; yardstick: a bare QMainWindow script."""

from __future__ import annotations

import os
import statistics
import subprocess
import sys
import time
from pathlib import Path

from tests.benchmarks.rows import Result

BUDGET_RATIO = 2.5

BARE = """
from PySide6.QtCore import QEvent, QTimer
from PySide6.QtWidgets import QApplication, QMainWindow
class Window(QMainWindow):
    def paintEvent(self, event):
        super().paintEvent(event)
        print("painted", flush=True)
        QTimer.singleShot(0, app.quit)
app = QApplication([])
window = Window()
window.resize(1440, 900)
window.show()
app.exec()
"""


def until_painted(command: list[str], environment: dict[str, str]) -> float:
    """Return the milliseconds from the start of a process until it prints "painted"."""
    began = time.perf_counter()
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=environment) as process:
        assert process.stdout is not None
        for line in process.stdout:
            if "painted" in line:
                elapsed = (time.perf_counter() - began) * 1000
                process.stdout.read()
                return elapsed
    raise RuntimeError(f"{command} painted nothing")


def measure(folder: Path, *, quick: bool) -> Result:
    repeats = 5 if quick else 15
    environment = {**os.environ, "CHIMEIN_STATE_DIR": str(folder / "state"), "CHIMEIN_CONFIG_PATH": str(folder)}
    environment.pop("PYTHONDONTWRITEBYTECODE", None)
    bare = [sys.executable, "-c", BARE]
    program = [sys.executable, "-m", "chimein_gui", "--smoke"]
    until_painted(bare, environment)
    until_painted(program, environment)
    yardsticks, values = [], []
    for _ in range(repeats):
        yardsticks.append(until_painted(bare, environment))
        values.append(until_painted(program, environment))
    value, yardstick = statistics.median(values), statistics.median(yardsticks)
    ok = value <= BUDGET_RATIO * yardstick
    return Result("first_paint", value, "ms", yardstick, f"<= {BUDGET_RATIO} x the yardstick", ok, f"{repeats} starts")
