"""The machine notices what is missing: without any one gate of the claim, or row of the tables, it fails.

What no step of the engine takes is listed in `NOT_TAKEN`: the tables allow it all the same.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from chimein_gui.adapters.store.rows.decisions import SqliteDecisionRows
from chimein_gui.domain import transitions
from chimein_gui.engine.sending import claim_checks
from tests.unit.engine.state_machine.play import play, template_file

SEEDS = range(1500)
SEEDS_IN_THE_GATE = range(250)

NOT_TAKEN = {
    ("TASK_TABLE", "pending", "ready"),  # a wait begins at once: pending → waiting
    ("TASK_TABLE", "ready", "skipped"),  # nothing that the operator can skip is ever ready: waits begin at once
    ("TASK_TABLE", "running", "skipped"),
}
TABLES = ("TASK_TABLE", "PLANNED_TABLE", "APPROVAL_TABLE", "LEDGER_TABLE")
ROWS = sorted(
    (table, str(old), str(new))
    for table in TABLES
    for old, news in getattr(transitions, table).items()
    for new in news
    if (table, str(old), str(new)) not in NOT_TAKEN
)


@pytest.fixture(scope="module")
def template(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return template_file(tmp_path_factory.mktemp("template"))


def _is_noticed(template: Path, folder: Path, seeds: range) -> bool:
    return any(play(seed, template, folder) for seed in seeds)


def _without(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    others = tuple(gate for gate in claim_checks.GATES if gate.name != name)
    assert len(others) == len(claim_checks.GATES) - 1
    monkeypatch.setattr(claim_checks.first_hindrance, "__defaults__", (others,))


def test_without_the_gate_that_guards_what_the_operator_saw_the_machine_fails(
    template: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One of the campaign's mutations, in every run: a machine that notices nothing is noticed itself."""
    _without("stale", monkeypatch)
    assert _is_noticed(template, tmp_path, SEEDS_IN_THE_GATE)


@pytest.mark.campaign
@pytest.mark.parametrize("name", [gate.name for gate in claim_checks.GATES])
def test_without_any_one_gate_the_machine_fails(
    name: str, template: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    _without(name, monkeypatch)
    assert _is_noticed(template, tmp_path, SEEDS)


@pytest.mark.campaign
@pytest.mark.parametrize(("table", "old", "new"), ROWS)
def test_without_any_one_row_of_the_tables_the_machine_fails(
    table: str, old: str, new: str, template: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    rows = getattr(transitions, table)
    key = next(state for state in rows if state == old)
    monkeypatch.setitem(rows, key, frozenset(state for state in rows[key] if state != new))
    assert _is_noticed(template, tmp_path, SEEDS)


def test_without_the_memory_of_what_was_approved_the_machine_fails(
    template: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What a claim has put back after its approval would be replaced without being offered again.

    In every run, too: the judge reads here why a step was cancelled, and once could not, unnoticed.
    """
    monkeypatch.setattr(SqliteDecisionRows, "last_of", lambda _rows, _approval: None)
    assert _is_noticed(template, tmp_path, SEEDS_IN_THE_GATE)
