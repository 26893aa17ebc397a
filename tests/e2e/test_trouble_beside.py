"""Accounts with every kind of trouble at once, beside healthy ones, whose messages all arrive once (SPEC §10)."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.benchmarks.row_trouble_beside import latencies_ms


@pytest.mark.qt_loop
@pytest.mark.gate_slow
async def test_healthy_accounts_are_as_if_alone(tmp_path: Path) -> None:
    found, wrong = await latencies_ms(tmp_path / "run", 24, trouble=True)
    assert len(found) == 24
    assert wrong == []
