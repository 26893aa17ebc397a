"""trouble_beside: drafts of eight healthy accounts while others suffer every kind of trouble, one kind each, at once.

The yardstick is the same run without the trouble; see `trouble_runs`. A row of our own.

A single p99 of 600 drafts is that of its six worst, and one slow disk or busy neighbour makes them. So the p99 is that
of all drafts of a kind together, and none is left out. A disk that keeps single commits waiting for half a second
decides such a figure alone, and is as likely to do so in a run of either kind. So where the system has a folder in
memory, the databases lie there; what trouble could do to a disk is counted instead: the commits that wait for one.
What drafts come to on the disk that there is tells `trouble_on_disk`.
"""

from __future__ import annotations

import os
import tempfile
from collections.abc import Sequence
from itertools import combinations
from pathlib import Path

from tests.benchmarks.rows import Result
from tests.benchmarks.trouble_runs import TURNS, Run, all_runs, in_short, together
from tests.support.troubled_accounts import KINDS

BUDGET = 1.2

WORST = 12
"""So many of the latest drafts of a kind are told one by one."""

IN_MEMORY = Path("/dev/shm")


def measure(folder: Path, *, quick: bool) -> Result:
    if not os.access(IN_MEMORY, os.W_OK):
        return summed_up(all_runs(folder, TURNS, quick=quick))
    with tempfile.TemporaryDirectory(prefix="chimein-bench-", dir=IN_MEMORY) as in_memory:
        return summed_up(all_runs(Path(in_memory), TURNS, quick=quick))


def summed_up(runs: Sequence[Run]) -> Result:
    """Return the p99 of all drafts beside trouble; the yardstick is that of all drafts without."""
    calm, busy = together(runs, trouble=False), together(runs, trouble=True)
    value, yardstick = busy.p(0.99), calm.p(0.99)
    least, most = spread(runs)
    wrong = (*calm.wrong, *busy.wrong)
    note = (
        f"p99 of {len(busy.drafts)} drafts, runs in turns; ratio {least:.2f} to {most:.2f} with a run of each "
        f"kind left out; p50 {busy.p(0.5):.1f} against {calm.p(0.5):.1f} ms; "
        f"{busy.commits} commits against {calm.commits}, the slowest {busy.slowest_commit_ms:.0f} against "
        f"{calm.slowest_commit_ms:.0f} ms; the loop waited for a "
        f"core {busy.waited_for_core_ms / 1000:.1f} against {calm.waited_for_core_ms / 1000:.1f} s, p99 without that "
        f"{busy.p99_with_a_core_ms():.1f} against {calm.p99_with_a_core_ms():.1f} ms; "
        f"{len(KINDS)} kinds of trouble; {'; '.join(wrong[:3]) or 'ledger and mailboxes agree'}"
    )
    shows_nothing = value * BUDGET < yardstick
    if shows_nothing:
        note = f"nothing is shown: the machine held up the yardstick, and trouble makes nobody faster; {note}"
    no_more_commits = busy.commits <= BUDGET * calm.commits
    ok = value <= BUDGET * yardstick and no_more_commits and not shows_nothing and not wrong
    details = {"runs": [in_short(run) for run in runs], "worst calm": _worst(calm), "worst busy": _worst(busy)}
    budget = f"<= {BUDGET} x the yardstick, commits <= {BUDGET} x"
    return Result("trouble_beside", value, "ms", yardstick, budget, ok, note, details)


def spread(runs: Sequence[Run]) -> tuple[float, float]:
    """Return the least and the greatest ratio if one run of each kind is left out: how much a single run decides.

    A figure whose spread is wide is one of the machine, whichever side of the budget it is on.
    """
    calm, busy = ([run for run in runs if run.trouble == trouble] for trouble in (False, True))
    if min(len(calm), len(busy)) < 2:
        return 0.0, float("inf")
    yardsticks = [together(left, trouble=False).p(0.99) for left in combinations(calm, len(calm) - 1)]
    values = [together(left, trouble=True).p(0.99) for left in combinations(busy, len(busy) - 1)]
    return min(values) / max(yardsticks), max(values) / min(yardsticks)


def _worst(run: Run) -> list[dict[str, float]]:
    """Tell of the latest drafts what held them up besides."""
    latest = sorted(run.drafts, key=lambda draft: draft.ms, reverse=True)[:WORST]
    return [
        {
            "ms": round(draft.ms, 1),
            "slowest_commit_ms": round(draft.slowest_commit_ms, 1),
            "waited_for_core_ms": round(draft.waited_for_core_ms, 1),
        }
        for draft in latest
    ]
