"""rss_24: resident memory of the main process with 24 accounts and all panes open; yardstick: its libraries alone."""

from __future__ import annotations

import json
import os
import statistics
import subprocess
import sys
from pathlib import Path

from tests.benchmarks.rows import Result
from tests.benchmarks.stage import sandbox_process

ACCOUNTS = 24
BUDGET_MB = 450.0

LIBRARIES = """
from pathlib import Path
import PySide6.QtCore, PySide6.QtGui, PySide6.QtSvg, PySide6.QtWidgets
import cryptg, google.genai, httpx2, markdown_it, qasync, ruamel.yaml, telethon
status = Path("/proc/self/status").read_text("ascii")
print(next(line.split()[1] for line in status.splitlines() if line.startswith("VmRSS:")))
"""


def libraries_mb() -> float:
    """Return the resident memory of a process that only imports the libraries."""
    printed = subprocess.run([sys.executable, "-c", LIBRARIES], capture_output=True, text=True, check=True).stdout
    return int(printed) / 1024


def main_process_mb(folder: Path, messages: int) -> dict[str, float]:
    """Return the current and the highest resident memory of a separate main process after a short typical run."""
    with sandbox_process(folder, ACCOUNTS) as sandbox:
        command = [sys.executable, "-m", "tests.benchmarks.main_process", str(sandbox.port_file), str(folder)]
        environment = {**os.environ, "QT_QPA_PLATFORM": "offscreen"}
        ran = subprocess.run(
            [*command, str(messages)], stdout=subprocess.PIPE, text=True, env=environment, check=True, timeout=600
        )
    found: dict[str, float] = json.loads(ran.stdout.splitlines()[-1])
    return found


def measure(folder: Path, *, quick: bool) -> Result:
    messages, repeats = (120, 1) if quick else (1_200, 3)
    yardstick = statistics.median(libraries_mb() for _ in range(repeats))
    runs = []
    for repeat in range(repeats):
        place = folder / str(repeat)
        place.mkdir()
        runs.append(main_process_mb(place, messages))
    value = statistics.median(run["rss_mb"] for run in runs)
    peak = statistics.median(run["peak_mb"] for run in runs)
    online = min(run["online"] for run in runs)
    ok = value <= BUDGET_MB and online == ACCOUNTS
    note = f"highest {peak:.0f} MB; {online:.0f} accounts online, {messages} messages, {repeats} runs"
    return Result("rss_24", value, "MB", yardstick, f"<= {BUDGET_MB:.0f} MB", ok, note)
