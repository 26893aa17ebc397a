"""`python -m tests.benchmarks`: measures every budget and its reference (the yardstick) in the same run.

`--only ID` (repeatable) selects rows, `--json` prints one object per row, `--quick` takes fewer samples: its figures
are only rough and must not be quoted.
"""

from __future__ import annotations

import os

# Before anything imports Qt or vendors: the same environment for every row.
os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
os.environ["QT_API"] = "pyside6"
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

import argparse
import json
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
    interpreter.set_up()
    interpreter.disable_gc_for_startup()  # as the program does; the rows then run with the collector
    interpreter.enable_gc()
    results = []
    for row_id in options.only or ROWS:
        with tempfile.TemporaryDirectory(prefix="chimein-bench-") as folder:
            result = ROWS[row_id](Path(folder), quick=options.quick)
        results.append(result)
        print(json.dumps(result.as_dict()) if options.json else _line(result), flush=True)
    return 0 if all(result.ok for result in results) else 1


def _line(result: Result) -> str:
    ok = "ok  " if result.ok else "FAIL"
    return (
        f"{ok} {result.id:<18} {result.value:>10.2f} {result.unit:<8} yardstick {result.yardstick:>9.2f}"
        f"  ratio {result.ratio:>6.2f}  budget {result.budget}" + (f"  ({result.note})" if result.note else "")
    )


if __name__ == "__main__":
    sys.exit(main())
