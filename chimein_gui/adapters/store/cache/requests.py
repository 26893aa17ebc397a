"""The ledger as it is for the writer: all requests of a planned send, from its first one on.

Only `SqliteLedgerRows` writes requests, and tells of each.
"""

from dataclasses import replace

from chimein_gui.domain.approvals import Part
from chimein_gui.domain.ids import ApprovalId, LedgerId
from chimein_gui.domain.tasks import LedgerState
from chimein_gui.engine.ports import LedgerRow

MOST_SENDS = 2048
"""Planned sends whose requests are kept at a time."""


class KeptRequests:
    """The requests that were read or written so far."""

    __slots__ = ("_all", "_parts", "_sends")

    def __init__(self) -> None:
        """Begin with nothing."""
        self._sends: dict[LedgerId, ApprovalId] = {}
        self._all: dict[ApprovalId, tuple[LedgerRow, ...]] = {}
        self._parts: dict[ApprovalId, tuple[Part, ...]] = {}

    def clear(self) -> None:
        """Forget everything: what was written was taken back, or somebody else wrote."""
        self._sends.clear()
        self._all.clear()
        self._parts.clear()

    def get(self, ledger_id: LedgerId) -> LedgerRow | None:
        """Return a request as it is now, if it is known."""
        approval_id = self._sends.get(ledger_id)
        if approval_id is None:
            return None
        return next(row for row in self._all[approval_id] if row.ledger_id == ledger_id)

    def of_approval(self, approval_id: ApprovalId) -> tuple[LedgerRow, ...] | None:
        """Return all requests of a planned send, by part and age, void and failed ones too; None if not known."""
        return self._all.get(approval_id)

    def keep_all(self, approval_id: ApprovalId, rows: tuple[LedgerRow, ...] = ()) -> None:
        """Take note of all requests of a planned send; a new one has none yet."""
        if len(self._all) >= MOST_SENDS:
            self.clear()
        self._all[approval_id] = rows
        self._parts.pop(approval_id, None)
        for row in rows:
            self._sends[row.ledger_id] = approval_id

    def keep(self, row: LedgerRow) -> None:
        """Take note of a request as it was written just now, if the others of its send are known."""
        rows = self._all.get(row.approval_id)
        if rows is not None:
            others = tuple(one for one in rows if one.ledger_id != row.ledger_id)
            self.keep_all(row.approval_id, tuple(sorted((*others, row), key=_order)) if others else (row,))

    def saved(self, row: LedgerRow) -> LedgerRow | None:
        """Take note of the columns that change, as they stand in this row; returns the request as it is now."""
        known = self.get(row.ledger_id)
        if known is None:
            return None
        written = replace(
            known,
            state=row.state,
            by_rule=row.by_rule,
            claimed_at=row.claimed_at,
            message_id=row.message_id,
        )
        self.keep(written)
        return written

    def parts_of(self, approval_id: ApprovalId) -> tuple[Part, ...] | None:
        """Return what a snapshot shows of the requests, in order; None if they are not known.

        Of several rows of one part (refused, then decided anew) the newest counts.
        """
        parts = self._parts.get(approval_id)
        rows = self._all.get(approval_id)
        if parts is None and rows is not None:
            newest = {row.part: row for row in rows if row.state is not LedgerState.VOID}
            parts = tuple(Part(index, row.state, row.message_id) for index, row in newest.items())
            self._parts[approval_id] = parts
        return parts


def _order(row: LedgerRow) -> tuple[int, LedgerId]:
    return row.part, row.ledger_id
