"""The commands as a person types them, each in a process of its own."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from chimein_gui.__main__ import EXIT_MISUSED
from chimein_gui.tour import ACTS, ALONE, name_of
from tests.e2e.processes import TIMEOUT_S, environment, finish, start
from tests.support.tour_check import check_apart, check_together, check_tour

TOUR_S = 1_800
"""Longer than a slow machine needs: what hangs says so by itself, at the step."""


def chimein(
    folder: Path, *arguments: str, timeout_s: float = TIMEOUT_S, **more: str
) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "chimein_gui", *arguments],
        cwd=folder,
        env={**environment(folder, **more), "PYTHONPATH": str(Path(__file__).parents[2])},
        capture_output=True,
        text=True,
        timeout=timeout_s,
        check=False,
    )


HALVES = {"together": (ACTS, check_together), "apart": (ALONE, check_apart)}
"""Halves of the tour, which two processes play beside each other."""


@pytest.mark.gate_slow
@pytest.mark.parametrize("half", HALVES)
def test_the_tour_plays_every_act(tmp_path: Path, half: str) -> None:
    """Every step; what is not a main pane in one colour and size, the others are the campaign's."""
    acts, check = HALVES[half]
    wanted = ",".join(map(name_of, acts))
    result = chimein(tmp_path, "sandbox", "--tour", "pictures", "--one-look", "--acts", wanted, timeout_s=TOUR_S)
    assert result.returncode == 0, result.stderr
    remarks = "This plugin does not support"  # the offscreen platform, of windows that dialogs are
    assert [line for line in result.stderr.splitlines() if not line.startswith(remarks)] == []
    check(tmp_path / "pictures", one_look=True)
    assert not (tmp_path / "state").exists(), "the tour leaves the operator's own state alone"


@pytest.mark.campaign  # the same steps once more, in every look
def test_without_a_display_the_sandbox_makes_the_tour(tmp_path: Path) -> None:
    result = chimein(tmp_path, "sandbox", timeout_s=TOUR_S)
    assert result.returncode == 0, result.stderr
    assert "no display" in result.stdout
    check_tour(tmp_path / "chimein-tour")


def test_an_act_that_the_tour_does_not_have_lists_those_that_it_has(tmp_path: Path) -> None:
    result = chimein(tmp_path, "sandbox", "--tour", "pictures", "--acts", "traces,juggling")
    assert result.returncode == EXIT_MISUSED
    assert result.stderr.startswith("The tour has no act juggling. Its acts: main-job, ")
    assert ", costs, caps, " in result.stderr
    assert not (tmp_path / "pictures").exists()


def test_a_tour_that_cannot_write_says_so_and_fails(tmp_path: Path) -> None:
    (tmp_path / "pictures").write_text("in the way", encoding="utf-8")
    result = chimein(tmp_path, "sandbox", "--tour", "pictures")
    assert result.returncode != 0
    assert "pictures" in result.stderr
    assert "Traceback" not in result.stderr


def test_the_window_can_be_smoke_tested(tmp_path: Path) -> None:
    result = chimein(tmp_path, "--smoke")
    assert result.returncode == 0, result.stderr
    assert json.loads(result.stdout)["smoke"] == "ok"


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_a_signal_ends_it_in_order(tmp_path: Path, number: signal.Signals) -> None:
    process = start(tmp_path, "sandbox")
    process.send_signal(number)
    assert finish(process) == (0, "")
    assert not list((tmp_path / "state-sandbox").glob("chimein.db-wal")), "the store was closed in order"
    assert not list((tmp_path / "state-sandbox" / "logs").glob("crash*")), "it was asked to end, and did"


def test_one_program_for_one_state_directory(tmp_path: Path) -> None:
    process = start(tmp_path, "sandbox")
    try:
        second = chimein(tmp_path, "sandbox", QT_QPA_PLATFORM="offscreen", CHIMEIN_LANGUAGE="de")
        assert second.returncode == 4
        assert "läuft schon" in second.stderr
    finally:
        process.terminate()
        finish(process)


def test_sandbox_and_live_never_share_a_directory(tmp_path: Path) -> None:
    process = start(tmp_path, "sandbox")
    process.terminate()
    finish(process)
    result = chimein(tmp_path, QT_QPA_PLATFORM="offscreen", CHIMEIN_STATE_DIR=str(tmp_path / "state-sandbox"))
    assert result.returncode == 5
    assert "belongs to the sandbox" in result.stderr
