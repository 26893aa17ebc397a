"""trouble_on_disk: trouble_beside on the disk that there is, however it behaves.

Such a disk now and then keeps a commit waiting for longer than all drafts take, with trouble or without. So here the
figure is the median of the runs' own p99, over twice as many runs, which BUDGETS asks for on a noisy machine. The p99
of all drafts together stands beside. A row of our own.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from statistics import median

from tests.benchmarks.rows import Result
from tests.benchmarks.trouble_runs import TURNS, Run, all_runs, in_short, together

BUDGET = 1.2


def measure(folder: Path, *, quick: bool) -> Result:
    return summed_up(all_runs(folder, TURNS * 2, quick=quick))


def summed_up(runs: Sequence[Run]) -> Result:
    """Return the median of the p99 of the runs beside trouble; the yardstick is that of the runs without."""
    value, yardstick = (median(run.p(0.99) for run in runs if run.trouble == trouble) for trouble in (True, False))
    calm, busy = together(runs, trouble=False), together(runs, trouble=True)
    wrong = (*calm.wrong, *busy.wrong)
    note = (
        f"median of the p99 of {len(runs)} runs in turns; all drafts together: p99 {busy.p(0.99):.1f} against "
        f"{calm.p(0.99):.1f} ms, p50 {busy.p(0.5):.1f} against {calm.p(0.5):.1f}; {busy.commits} commits against "
        f"{calm.commits}, the slowest {busy.slowest_commit_ms:.0f} against {calm.slowest_commit_ms:.0f} ms; "
        f"{'; '.join(wrong[:3]) or 'ledger and mailboxes agree'}"
    )
    shows_nothing = value * BUDGET < yardstick
    if shows_nothing:
        note = f"nothing is shown: the machine held up the yardstick, and trouble makes nobody faster; {note}"
    ok = value <= BUDGET * yardstick and not shows_nothing and not wrong
    details = {"runs": [in_short(run) for run in runs]}
    return Result("trouble_on_disk", value, "ms", yardstick, f"<= {BUDGET} x the yardstick", ok, note, details)
