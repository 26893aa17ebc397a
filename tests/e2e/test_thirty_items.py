"""Thirty planned messages of all kinds: by keys alone, by mouse alone, by accessible actions alone; all are counted."""

from __future__ import annotations

import sys
import time
from pathlib import Path

import pytest

from tests.e2e import thirty_items
from tests.e2e.thirty_hands import Hand, Listener, Mouse
from tests.e2e.thirty_items import TALKS, Day, answering, longer
from tests.e2e.thirty_keys import Keys

pytestmark = [pytest.mark.qt_loop, pytest.mark.gate_slow, pytest.mark.qt_log_ignore("plugin does not support")]


@pytest.mark.parametrize(("kind", "most"), [(Keys, 75), (Mouse, 70), (Listener, 70)])
async def test_all_are_decided(kind: type[Hand], most: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    answering(monkeypatch)
    assert sum(len(talk.planned) for talk in TALKS) == 30

    async def decide(day: Day) -> None:
        hands = kind(day)
        await hands.decide_all()
        assert hands.count <= most

    await thirty_items.run(tmp_path, decide)


@pytest.mark.campaign
async def test_a_hundred_are_decided_in_five_minutes_at_three_keys_a_second(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    talks = longer(TALKS, by=70)
    answering(monkeypatch, talks)
    assert sum(len(talk.planned) for talk in talks) == 100

    async def decide(day: Day) -> None:
        hands, began = Keys(day, beat_s=1 / 3), time.monotonic()
        await hands.decide_all()
        took_s = time.monotonic() - began
        with capsys.disabled():
            sys.stdout.write(f"\n100 drafts: {hands.count} keys in {took_s:.0f} s\n")
        assert took_s <= 300

    await thirty_items.run(tmp_path, decide, talks)
