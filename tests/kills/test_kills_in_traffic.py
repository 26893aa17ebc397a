"""Random traffic and a kill in every life: a few in the gate, a thousand in the campaign.

CHIMEIN_CAMPAIGN_KILLS says how many (1,000), CHIMEIN_CAMPAIGN_SEED which ones.
"""

from __future__ import annotations

import asyncio
import os
import sys
from pathlib import Path

import pytest

from tests.kills.campaign import PEOPLE, Report, campaign
from tests.kills.life import TRAFFIC_POINTS
from tests.kills.mutations import MUTATIONS
from tests.kills.processes import sandbox_process

KILLS = int(os.environ.get("CHIMEIN_CAMPAIGN_KILLS", "1000"))
SEED = int(os.environ.get("CHIMEIN_CAMPAIGN_SEED", "1"))
FEW = 2 * len(TRAFFIC_POINTS)
"""Each failpoint twice."""

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="there is no kill -9")


def run(folder: Path, *, kills: int, seed: int, mutation: str = "") -> Report:
    """Run a campaign in a sandbox of its own."""
    with sandbox_process(folder, PEOPLE) as sandbox:
        return asyncio.run(campaign(sandbox, folder, kills=kills, seed=seed, mutation=mutation))


def check(report: Report) -> None:
    assert not report.wrong, report.text()
    assert report.killed.total() == report.kills
    assert set(report.killed) == {point.value for point in TRAFFIC_POINTS}
    assert report.books.sent.total() > report.kills / 2


@pytest.mark.gate_slow
def test_a_few_kills_in_random_traffic(tmp_path: Path) -> None:
    check(run(tmp_path, kills=FEW, seed=4))


@pytest.mark.campaign
def test_a_thousand_kills_in_random_traffic(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    report = run(tmp_path, kills=KILLS, seed=SEED)
    with capsys.disabled():
        sys.stdout.write(f"\n{report.text()}\n")
    check(report)


@pytest.mark.campaign
@pytest.mark.parametrize("mutation", MUTATIONS)
def test_a_fault_in_the_edits_of_plans_is_noticed(tmp_path: Path, mutation: str) -> None:
    assert run(tmp_path, kills=10 * len(TRAFFIC_POINTS), seed=SEED, mutation=mutation).wrong
