"""Half an hour of random traffic with random faults leaves nothing behind, and store and server agree.

The product runs in a process of its own, so that its memory is its own; the sandbox in another.
CHIMEIN_CAMPAIGN_S says how long (1800 s), CHIMEIN_CAMPAIGN_SEED which one.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

SECONDS = float(os.environ.get("CHIMEIN_CAMPAIGN_S", "1800"))
SEED = os.environ.get("CHIMEIN_CAMPAIGN_SEED", "1")
CLOSING_S = 300
"""Start, settling and comparison, beside the traffic itself."""

FAULT_KINDS = 23
LONG_ENOUGH_S = 600
"""Every kind of fault has had its turn by then."""


@pytest.mark.campaign
def test_random_traffic_with_random_faults(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "report.json"
    command = [sys.executable, "-m", "tests.sandbox.campaign", "--seconds", str(SECONDS), "--seed", SEED]
    run = subprocess.run(
        [*command, "--report", str(file)],
        capture_output=True,
        text=True,
        timeout=SECONDS + CLOSING_S,
        check=False,
        cwd=Path(__file__).parents[2],
    )
    with capsys.disabled():
        sys.stdout.write(f"\n{run.stdout}{run.stderr}")
    assert run.returncode == 0, run.stdout + run.stderr
    report = json.loads(file.read_text(encoding="utf-8"))
    assert report["messages compared"] > SECONDS
    assert report["sends confirmed exactly once"] > SECONDS / 10
    if SECONDS >= LONG_ENOUGH_S:
        assert len(report["faults"]) == FAULT_KINDS
