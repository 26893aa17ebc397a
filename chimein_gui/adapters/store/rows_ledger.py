"""The ledger in the database."""

from chimein_gui.adapters.store.sql import Sql
from chimein_gui.adapters.store.values import Row, maybe_from_micros, maybe_to_micros
from chimein_gui.domain.approvals import Approval
from chimein_gui.domain.ids import AccountId, ApprovalId, LedgerId, MessageId, PeerId, RandomId
from chimein_gui.domain.tasks import LedgerState, Origin
from chimein_gui.engine.ports import LedgerRow

COLUMNS = (
    "ledger_id, approval_id, version, part, random_id, state, origin, text, reply_to_id, claimed_at, message_id, error"
)


class SqliteLedgerRows:
    """Implements `engine.ports.LedgerRows`."""

    def __init__(self, sql: Sql) -> None:
        self._sql = sql

    def prepare(self, approval: Approval, *, part: int, random_id: RandomId, origin: Origin, text: str) -> LedgerRow:
        """Insert a `prepared` row for the approval's current version."""
        ledger_id = self._sql.insert(
            "INSERT INTO ledger (approval_id, chat_id, version, part, random_id, state, origin, text, reply_to_id)"
            " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
            approval.approval_id,
            approval.chat_id,
            approval.version,
            part,
            random_id,
            LedgerState.PREPARED.value,
            origin.value,
            text,
            approval.reply_to_id,
        )
        # Read back, because the stored text is what `random_id` stands for.
        row = self._sql.one(f"SELECT {COLUMNS} FROM ledger WHERE ledger_id = ?", ledger_id)
        assert row is not None  # inserted above
        return _ledger(row)

    def current(self, approval_id: ApprovalId) -> LedgerRow | None:
        """Return the newest row of an approval that is neither void nor failed, or None."""
        row = self._sql.one(
            f"SELECT {COLUMNS} FROM ledger INDEXED BY ledger_of_approval"
            " WHERE approval_id = ? AND state NOT IN ('void', 'failed') ORDER BY ledger_id DESC LIMIT 1",
            approval_id,
        )
        return None if row is None else _ledger(row)

    def save(self, row: LedgerRow) -> None:
        """Write back all mutable columns."""
        self._sql.change(
            "UPDATE ledger SET state = ?, claimed_at = ?, message_id = ?, error = ? WHERE ledger_id = ?",
            row.state.value,
            maybe_to_micros(row.claimed_at),
            row.message_id,
            row.error,
            row.ledger_id,
            missing=f"no ledger row {row.ledger_id}",
        )

    def owner_of(self, account_id: AccountId, peer_id: PeerId, message_id: MessageId) -> LedgerRow | None:
        """Return the row that names this message id, or None."""
        row = self._sql.one(
            f"SELECT {COLUMNS} FROM ledger INDEXED BY ledger_of_message"
            " WHERE chat_id = (SELECT chat_id FROM chats WHERE account_id = ? AND peer_id = ?) AND message_id = ?"
            " ORDER BY ledger_id DESC LIMIT 1",
            account_id,
            peer_id,
            message_id,
        )
        return None if row is None else _ledger(row)


def _ledger(row: Row) -> LedgerRow:
    (ledger_id, approval_id, version, part, random_id, state, origin, text, reply_to_id, *rest) = row
    claimed_at, message_id, error = rest
    return LedgerRow(
        ledger_id=LedgerId(ledger_id),
        approval_id=ApprovalId(approval_id),
        version=version,
        part=part,
        random_id=RandomId(random_id),
        state=LedgerState(state),
        origin=Origin(origin),
        text=text,
        reply_to_id=None if reply_to_id is None else MessageId(reply_to_id),
        claimed_at=maybe_from_micros(claimed_at),
        message_id=None if message_id is None else MessageId(message_id),
        error=error,
    )
