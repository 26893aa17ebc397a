"""`python -m tests.benchmarks`: measures every budget and its reference (the yardstick) in the same run.

`--only ID` (repeatable) selects rows, `--json` prints one object per row, `--quick` takes fewer samples: its figures
are only rough and must not be quoted. Each row runs in a process of its own.
"""

from __future__ import annotations

import os

# Before anything imports Qt or vendors: the same environment for every row.
os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
os.environ["QT_API"] = "pyside6"
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

import argparse
import json
import subprocess
import sys
import tempfile
from pathlib import Path

from chimein_gui.runtime import interpreter
from tests.benchmarks.rows import ROWS, Result


def main() -> int:
    """Run the selected rows; the exit code is 0 if all budgets are kept."""
    parser = argparse.ArgumentParser(prog="python -m tests.benchmarks", description=__doc__)
    parser.add_argument("--only", action="append", choices=sorted(ROWS), metavar="ID", help="a row; may be repeated")
    parser.add_argument("--json", action="store_true", help="one JSON object a row")
    parser.add_argument("--quick", action="store_true", help="fewer samples")
    options = parser.parse_args()
    row_ids = options.only or list(ROWS)
    if len(row_ids) == 1:
        return 0 if _measured(row_ids[0], as_json=options.json, quick=options.quick) else 1
    how = [f"--{name}" for name in ("json", "quick") if getattr(options, name)]
    return max(_in_own_process(row_id, how) for row_id in row_ids)


def _in_own_process(row_id: str, how: list[str]) -> int:
    """Measure a row as if it were the only one, and return the exit code of its process.

    What the rows before it leave in the heap costs time: after `connect_8`, cycles were a seventh fewer.
    """
    return subprocess.run([sys.executable, "-m", "tests.benchmarks", "--only", row_id, *how], check=False).returncode


def _measured(row_id: str, *, as_json: bool, quick: bool) -> bool:
    """Measure a row in this process, print it, and return whether its budget is kept."""
    interpreter.set_up()
    interpreter.disable_gc_for_startup()  # as the program does; the row then runs with the collector
    interpreter.enable_gc()
    with tempfile.TemporaryDirectory(prefix="chimein-bench-") as folder:
        result = ROWS[row_id](Path(folder), quick=quick)
    print(json.dumps(result.as_dict()) if as_json else _line(result), flush=True)
    return result.ok


def _line(result: Result) -> str:
    ok = "ok  " if result.ok else "FAIL"
    return (
        f"{ok} {result.id:<18} {result.value:>10.2f} {result.unit:<8} yardstick {result.yardstick:>9.2f}"
        f"  ratio {result.ratio:>6.2f}  budget {result.budget}" + (f"  ({result.note})" if result.note else "")
    )


if __name__ == "__main__":
    sys.exit(main())
