"""Between two parts of a split text: whether the rest may still follow by itself (SPEC §3a, Split; §6)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from chimein_gui.domain.approvals import AskReason
from chimein_gui.domain.tasks import CancelReason
from chimein_gui.engine.claim_view import view_of
from chimein_gui.engine.gates import GATES, Hindrance, first_hindrance

if TYPE_CHECKING:
    from chimein_gui.domain.approvals import Approval
    from chimein_gui.engine.conditions import Conditions
    from chimein_gui.engine.ports import Transaction

DELETED_NOTE = "Deleted for everyone; the partner may have seen it"

_STOPPED = frozenset({CancelReason.PLAN_REJECTED, DELETED_NOTE})
"""What a card says whose rest the operator does not want, until he decides anew."""

_NAMES = frozenset({"hold", "takeover", "off/observe", "rule no longer holds"})
_GATES = tuple(gate for gate in GATES if gate.name in _NAMES)
"""What the operator may do at any moment, and wants to count at once; a text is not cut in two for less."""


def against_next_part(tx: Transaction, approval: Approval, conditions: Conditions) -> Hindrance | None:
    """Say why the operator does not want the rest of a text any more; None if nothing tells that he does not."""
    hindered = first_hindrance(view_of(tx, approval, conditions), _GATES)
    if hindered is not None:
        return hindered[1]
    return Hindrance(approval.note, AskReason.CHANGED) if approval.note in _STOPPED else None
