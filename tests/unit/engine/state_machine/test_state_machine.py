"""The rules of sending as a whole: any interleaving of partners, operator, Telegram, model, time and crashes.

A gate run plays 160 interleavings; the campaign 10,000 more (or `CHIMEIN_CAMPAIGN_INTERLEAVINGS`).
"""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from tests.unit.engine.state_machine.play import play, template_file

GATE = 160
PORTION = 40
"""So many in one test: whatever process has time takes the next."""
CAMPAIGN = int(os.environ.get("CHIMEIN_CAMPAIGN_INTERLEAVINGS", "10140"))


@pytest.fixture(scope="module")
def template(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return template_file(tmp_path_factory.mktemp("template"))


def _play_all(seeds: range, template: Path, folder: Path) -> None:
    for seed in seeds:
        wrong = play(seed, template, folder)
        assert not wrong, f"seed {seed}:\n" + "\n".join(wrong)


@pytest.mark.gate_slow
@pytest.mark.parametrize("first", range(0, GATE, PORTION))
def test_no_interleaving_breaks_the_tables_or_sends_what_nobody_wants(
    first: int, template: Path, tmp_path: Path
) -> None:
    _play_all(range(first, first + PORTION), template, tmp_path)


@pytest.mark.campaign
def test_ten_thousand_interleavings(template: Path, tmp_path: Path) -> None:
    _play_all(range(GATE, GATE + CAMPAIGN), template, tmp_path)
