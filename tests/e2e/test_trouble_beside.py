"""Accounts with every kind of trouble at once, beside healthy ones, whose messages all arrive once (SPEC §10)."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import pytest

from chimein_gui.adapters.store.store import SqliteStore
from tests.benchmarks import row_trouble_on_disk
from tests.benchmarks.hindrances import Commit, commits_noted, how_many, slowest_ms
from tests.benchmarks.row_trouble_beside import spread, summed_up
from tests.benchmarks.trouble_runs import TURNS, Draft, Run, one_run


@pytest.mark.qt_loop
@pytest.mark.gate_slow
async def test_healthy_accounts_are_as_if_alone(tmp_path: Path) -> None:
    run = await one_run(tmp_path / "run", 24, trouble=True)
    assert len(run.drafts) == 24
    assert run.wrong == ()
    assert run.health[-3:] == ("waiting", "proxy trouble", "logged out")
    assert run.slowest_commit_ms > 0
    assert run.commits > len(run.drafts)
    assert all(0 < draft.slowest_commit_ms <= run.slowest_commit_ms for draft in run.drafts)


def _run(*, trouble: bool, latencies_ms: tuple[float, ...]) -> Run:
    return Run(trouble, tuple(Draft(ms, 1.0, 0.5) for ms in latencies_ms), (), 200, 2.0, 30.0)


def test_each_kind_comes_first_and_last_as_often() -> None:
    """What slows all down with time then slows both kinds down."""
    of_trouble = [place for place, trouble in enumerate(TURNS) if trouble]
    without = [place for place, trouble in enumerate(TURNS) if not trouble]
    assert (len(of_trouble), sum(of_trouble)) == (len(without), sum(without))


def test_the_p99_is_that_of_all_drafts_of_a_kind() -> None:
    """No run is left out, as the median of the runs' own would: here three late drafts of one run are 1.5 percent."""
    calm, busy = _run(trouble=False, latencies_ms=(20.0,) * 100), _run(trouble=True, latencies_ms=(21.0,) * 100)
    late = _run(trouble=True, latencies_ms=(21.0,) * 97 + (90.0, 95.0, 99.0))
    assert summed_up([calm, busy, busy, calm]).ok
    result = summed_up([calm, busy, late, calm])
    assert (result.value, result.yardstick, result.ok) == (95.0, 20.0, False)


def test_trouble_that_makes_the_disk_work_more_fails_the_row() -> None:
    """The databases lie in memory, so drafts don't show it."""
    calm, busy = _run(trouble=False, latencies_ms=(20.0,) * 100), _run(trouble=True, latencies_ms=(20.0,) * 100)
    assert summed_up([calm, replace(busy, commits=240)]).ok
    assert not summed_up([calm, replace(busy, commits=241)]).ok


def test_on_a_disk_the_figure_is_the_median_of_the_runs() -> None:
    """One run that the disk held up decides nothing there; the p99 of all drafts is told beside."""
    calm, busy = _run(trouble=False, latencies_ms=(20.0,) * 100), _run(trouble=True, latencies_ms=(21.0,) * 100)
    late, slow = (_run(trouble=True, latencies_ms=(ms,) * 100) for ms in (500.0, 25.0))
    result = row_trouble_on_disk.summed_up([calm, busy, late, calm, busy, calm])
    assert (result.value, result.yardstick, result.ok) == (21.0, 20.0, True)
    assert "p99 500.0 against 20.0 ms" in result.note
    assert not row_trouble_on_disk.summed_up([calm, slow, busy, slow, calm, calm]).ok
    held_up = replace(late, trouble=False)
    assert row_trouble_on_disk.summed_up([held_up, busy, busy, held_up]).note.startswith("nothing is shown")
    assert not row_trouble_on_disk.summed_up([calm, replace(busy, wrong=("never arrived: one",))]).ok


def test_the_spread_tells_when_one_run_decides() -> None:
    calm, busy = _run(trouble=False, latencies_ms=(20.0,) * 100), _run(trouble=True, latencies_ms=(22.0,) * 100)
    late = _run(trouble=True, latencies_ms=(22.0,) * 95 + (80.0,) * 5)
    assert spread([calm, busy, busy, calm]) == pytest.approx((1.1, 1.1))
    assert spread([calm, busy, late, calm]) == pytest.approx((1.1, 4.0))


def test_waiting_for_a_core_is_told_and_not_taken_off() -> None:
    calm, busy = _run(trouble=False, latencies_ms=(20.0,) * 100), _run(trouble=True, latencies_ms=(20.0,) * 100)
    waited = replace(busy, drafts=(Draft(120.0, 1.0, 99.0),) * 100)
    result = summed_up([calm, waited])
    assert (result.value, result.ok) == (120.0, False)
    assert "p99 without that 21.0 against 19.5 ms" in result.note


def test_a_yardstick_that_the_machine_held_up_shows_nothing() -> None:
    calm, busy = _run(trouble=False, latencies_ms=(300.0,) * 100), _run(trouble=True, latencies_ms=(60.0,) * 100)
    result = summed_up([calm, busy])
    assert not result.ok
    assert result.note.startswith("nothing is shown")


def test_a_difference_fails_the_row() -> None:
    calm, busy = _run(trouble=False, latencies_ms=(20.0,) * 100), _run(trouble=True, latencies_ms=(20.0,) * 100)
    result = summed_up([calm, replace(busy, wrong=("never arrived: one",))])
    assert not result.ok
    assert "never arrived: one" in result.note


def test_the_slowest_commit_is_of_the_time_that_is_asked_for() -> None:
    commits = [Commit(1.0, 1.2), Commit(2.0, 2.5), Commit(3.0, 3.1)]
    assert slowest_ms(commits) == pytest.approx(500)
    assert slowest_ms(commits, 0.9, 1.1) == pytest.approx(200)
    assert slowest_ms(commits, 2.6, 3.05) == pytest.approx(100)
    assert slowest_ms(commits, 4.0) == 0
    assert how_many(commits, 2.0) == 2


async def test_commits_are_noted_while_that_is_wanted(tmp_path: Path) -> None:
    store = await SqliteStore.open(tmp_path / "chimein.db", now=lambda: datetime(2026, 1, 5, tzinfo=UTC))
    try:
        with commits_noted() as commits:
            await store.transact(lambda _transaction: None)
            found = len(commits)
        await store.transact(lambda _transaction: None)
    finally:
        await store.aclose()
    assert found == len(commits) == 1
    assert commits[0].took_ms > 0
