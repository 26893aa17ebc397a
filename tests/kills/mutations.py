"""Faults that are built into a victim, to show that the kill tests notice them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from chimein_gui.adapters.files import memory
from chimein_gui.adapters.store.rows.graphs import SqlitePlanEditRows
from chimein_gui.domain.plans.step_edits import EditOutcome, PlanEdit, StepEditRequest
from chimein_gui.engine.memory import duplicates, order_writer
from chimein_gui.engine.memory import writer as writers
from chimein_gui.engine.operator.plan_edits import PlanEdits


def _record_apart() -> None:
    """What was edited is committed first, and the record of the edit in a transaction of its own."""
    add, edit = SqlitePlanEditRows.add, PlanEdits.edit
    kept: list[PlanEdit] = []

    async def edited(edits: PlanEdits, request: StepEditRequest) -> EditOutcome:
        outcome = await edit(edits, request)
        while kept:
            record = kept.pop()
            await edits._unit.write(lambda tx, record=record: add(tx.plan_edits, record))  # type: ignore[misc]
        return outcome

    _patch(SqlitePlanEditRows, "add", lambda _rows, record: kept.append(record))
    _patch(PlanEdits, "edit", edited)


def _forget_who_asked() -> None:
    """An edit that is asked for once more is not known to be done."""
    _patch(SqlitePlanEditRows, "of_client", lambda _rows, _client_id: None)


def _without_keys() -> None:
    """No memory is known by its key, nor by its words."""

    async def nothing(*_told: object) -> None:
        return None

    for module in (memory, duplicates):
        _patch(module, "place_of_key", lambda _content, _key: None)
    for writer in (writers, order_writer):
        _patch(writer, "said_already", nothing)


def _patch(owner: object, name: str, put: Any) -> None:
    """Only this one victim has it: each is a process of its own."""
    setattr(owner, name, put)


MUTATIONS: dict[str, Callable[[], None]] = {"record apart": _record_apart, "forget who asked": _forget_who_asked}
WITHOUT_KEYS = "without keys"
MEMORY_MUTATIONS: dict[str, Callable[[], None]] = {WITHOUT_KEYS: _without_keys}
