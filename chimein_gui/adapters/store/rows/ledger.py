"""The ledger in the database."""

from datetime import datetime
from functools import lru_cache

from chimein_gui.adapters.store.columns.conditions import BY_RULE, GIVEN_UP, IN_DOUBT, NAMELESS
from chimein_gui.adapters.store.memo import NOTHING, chat_scope
from chimein_gui.adapters.store.rows.tasks import scope_of
from chimein_gui.adapters.store.rows.values import (
    SAME_ROWS,
    Row,
    entities_from_json,
    entities_to_json,
    maybe_file_from_json,
    maybe_file_to_json,
    maybe_from_micros,
    maybe_sticker_from_json,
    maybe_sticker_to_json,
    maybe_to_micros,
    to_micros,
    well_formed,
)
from chimein_gui.adapters.store.sql import Sql
from chimein_gui.domain.approvals import Approval
from chimein_gui.domain.errors import NotFoundError
from chimein_gui.domain.ids import AccountId, ApprovalId, ChatId, LedgerId, MessageId, PeerId, RandomId
from chimein_gui.domain.tasks import LedgerState, Origin, TaskKind
from chimein_gui.engine.ports import LedgerRow, NewRequest

COLUMNS = (
    "ledger_id, approval_id, chat_id, version, part, random_id, state, origin, kind, text, reply_to_id, entities,"
    " sticker, file, up_to, by_rule, claimed_at, message_id"
)
OF_APPROVAL = (
    f"SELECT {COLUMNS} FROM ledger INDEXED BY ledger_of_approval WHERE approval_id = ? ORDER BY part, ledger_id"
)
BY_ID = f"SELECT {COLUMNS} FROM ledger WHERE ledger_id = ?"
REQUESTS = frozenset({BY_ID, OF_APPROVAL})
"""Queries whose results are known after a row was changed whose approval's rows were known before."""
INSERT = """
INSERT INTO ledger
    (approval_id, chat_id, version, part, random_id, state, origin, kind, text, reply_to_id, entities, sticker, file,
    up_to, account_id)
VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
"""

_OVER = frozenset({LedgerState.VOID, LedgerState.FAILED})
"""States of requests that are finished without a message."""


def requests_of(sql: Sql, approval_id: ApprovalId) -> tuple[LedgerRow, ...]:
    """Return all rows of an approval, void and failed ones too, by part and age."""
    return sql.made(_ledger, OF_APPROVAL, approval_id, scope=scope_of)


def know_no_requests(sql: Sql, approval_id: ApprovalId, chat_id: ChatId) -> None:
    """Cache that an approval which was just added has no rows yet."""
    sql.know((), _ledger, OF_APPROVAL, approval_id, scope=chat_scope(chat_id))


class SqliteLedgerRows:
    """Implements `engine.ports.LedgerRows`."""

    def __init__(self, sql: Sql) -> None:
        self._sql = sql

    def prepare(self, approval: Approval, request: NewRequest) -> LedgerRow:
        values = (
            approval.approval_id,
            approval.chat_id,
            approval.version,
            request.part,
            request.random_id,
            str(LedgerState.PREPARED),
            str(approval.origin),
            str(approval.kind),
            well_formed(request.text),
            approval.reply_to_id,
            entities_to_json(request.entities),
            maybe_sticker_to_json(request.sticker),
            maybe_file_to_json(request.file),
            request.up_to,
        )
        before = self._sql.known(_ledger, OF_APPROVAL, approval.approval_id)
        ledger_id = self._sql.insert(INSERT, *values, approval.account_id, scope=chat_scope(approval.chat_id))
        written = _ledger((ledger_id, *values, False, None, None))
        self._know(before, written)
        return written

    def get(self, ledger_id: LedgerId) -> LedgerRow:
        found = self._sql.first(_ledger, BY_ID, ledger_id, scope=scope_of)
        if found is None:
            raise NotFoundError(f"no ledger row {ledger_id}")
        return found

    def of_approval(self, approval_id: ApprovalId) -> tuple[LedgerRow, ...]:
        return tuple(row for row in requests_of(self._sql, approval_id) if row.state not in _OVER)

    def in_doubt(self, chat_id: ChatId) -> tuple[LedgerRow, ...]:
        return self._sql.made(
            _ledger,
            f"SELECT {COLUMNS} FROM ledger INDEXED BY ledger_in_doubt WHERE chat_id = ? AND {IN_DOUBT}"
            " ORDER BY ledger_id",
            chat_id,
        )

    def nameless(self, chat_id: ChatId, since: datetime) -> tuple[LedgerRow, ...]:
        return self._sql.made(
            _ledger,
            f"SELECT {COLUMNS} FROM ledger INDEXED BY ledger_nameless WHERE chat_id = ? AND {NAMELESS} AND NOT EXISTS"
            " (SELECT 1 FROM approvals a WHERE a.approval_id = ledger.approval_id AND a.resolved_at < ?)"
            " ORDER BY ledger_id",
            chat_id,
            to_micros(since),
        )

    def given_up(self, chat_id: ChatId, since: datetime) -> tuple[LedgerRow, ...]:
        """Return the chat's void rows that were claimed since then and never answered, by age."""
        return self._sql.made(
            _ledger,
            f"SELECT {COLUMNS} FROM ledger INDEXED BY ledger_given_up WHERE chat_id = ? AND {GIVEN_UP}"
            " AND claimed_at >= ? ORDER BY ledger_id",
            chat_id,
            to_micros(since),
        )

    def save(self, row: LedgerRow) -> None:
        before = self._sql.known(_ledger, OF_APPROVAL, row.approval_id)
        is_known = before is not None and row.ledger_id in [old.ledger_id for old in before]
        self._sql.change(
            "UPDATE ledger SET state = ?, by_rule = ?, claimed_at = ?, message_id = ? WHERE ledger_id = ?",
            str(row.state),
            row.by_rule,
            maybe_to_micros(row.claimed_at),
            row.message_id,
            row.ledger_id,
            missing=f"no ledger row {row.ledger_id}",
            scope=chat_scope(row.chat_id),
            known=REQUESTS if is_known else NOTHING,
        )
        if is_known:
            self._know(before, row)

    def _know(self, before: tuple[LedgerRow, ...] | None, written: LedgerRow) -> None:
        """Cache a row as just written, and the list of its approval, if that was known before."""
        self._sql.know((written,), _ledger, BY_ID, written.ledger_id, scope=scope_of(written))
        if before is not None:
            now = [*(row for row in before if row.ledger_id != written.ledger_id), written]
            if len(now) > 1:
                now.sort(key=lambda row: (row.part, row.ledger_id))
            self._sql.know(tuple(now), _ledger, OF_APPROVAL, written.approval_id, scope=scope_of(written))

    def owner_of(self, account_id: AccountId, peer_id: PeerId, message_id: MessageId) -> LedgerRow | None:
        """Return the row with this message id, or None; a sent row has priority over one that was given up."""
        return self._sql.first(
            _ledger,
            f"SELECT {COLUMNS} FROM ledger INDEXED BY ledger_of_message"
            " WHERE chat_id = (SELECT chat_id FROM chats WHERE account_id = ? AND peer_id = ?) AND message_id = ?"
            " ORDER BY state = 'sent' DESC, ledger_id DESC LIMIT 1",
            account_id,
            peer_id,
            message_id,
        )

    def automatic_since(self, since: datetime, *, account_id: AccountId, chat_id: ChatId | None = None) -> int:
        """Count sends claimed by a rule since then, of an account or of one of its chats.

        A split send counts once; one that was requeued before it was sent does not count.
        """
        index, column, target = (
            ("ledger_of_account_by_rule", "account_id", account_id)
            if chat_id is None
            else ("ledger_of_chat_by_rule", "chat_id", chat_id)
        )
        row = self._sql.one(
            f"SELECT count(DISTINCT approval_id) FROM ledger INDEXED BY {index}"
            f" WHERE {column} = ? AND claimed_at >= ? AND {BY_RULE} AND state <> 'prepared'",
            int(target),
            to_micros(since),
        )
        return 0 if row is None else int(row[0])


# A dict look-up is ten times as fast as the enum's constructor.
_STATES = {one.value: one for one in LedgerState}
_ORIGINS = {one.value: one for one in Origin}
_KINDS = {one.value: one for one in TaskKind}


@lru_cache(SAME_ROWS)
def _ledger(row: Row) -> LedgerRow:
    (ledger_id, approval_id, chat_id, version, part, random_id, state, origin, kind, text, reply_to_id, *rest) = row
    entities, sticker, file, up_to, by_rule, claimed_at, message_id = rest
    return LedgerRow(
        ledger_id=LedgerId(ledger_id),
        approval_id=ApprovalId(approval_id),
        chat_id=ChatId(chat_id),
        version=version,
        part=part,
        random_id=RandomId(random_id),
        state=_STATES[state],
        origin=_ORIGINS[origin],
        kind=_KINDS[kind],
        text=text,
        reply_to_id=None if reply_to_id is None else MessageId(reply_to_id),
        entities=entities_from_json(entities),
        sticker=maybe_sticker_from_json(sticker),
        file=maybe_file_from_json(file),
        up_to=MessageId(up_to),
        by_rule=bool(by_rule),
        claimed_at=maybe_from_micros(claimed_at),
        message_id=None if message_id is None else MessageId(message_id),
    )
