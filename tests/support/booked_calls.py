"""The calls of models that a store has booked; the product reads only their sums."""

from __future__ import annotations

from typing import TYPE_CHECKING

from chimein_gui.adapters.store.rows.effects import CALLS, call_of
from chimein_gui.domain.ids import ChatId

if TYPE_CHECKING:
    from chimein_gui.domain.costs import ModelCall
    from chimein_gui.engine.ports import Transaction


def booked_calls(tx: Transaction) -> list[tuple[ChatId, ModelCall]]:
    """Return all calls of chats, oldest first, each with its chat; it runs on the writer or reader thread."""
    sql = tx.effects._sql  # type: ignore[attr-defined]
    rows = sql.all(f"SELECT {CALLS} FROM model_calls ORDER BY began_at, call_id")
    return [(ChatId(row[0]), call_of(row)) for row in rows]
