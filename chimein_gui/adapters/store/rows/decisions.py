"""The decision log in the database."""

from datetime import datetime

from chimein_gui.adapters.store.columns.approval_snapshots import CARD_BY_ID, card_row, card_scope, key_of
from chimein_gui.adapters.store.columns.conditions import REJECTION
from chimein_gui.adapters.store.columns.decided_cards import DecidedCards
from chimein_gui.adapters.store.memo import chat_scope
from chimein_gui.adapters.store.rows.chats import chat_settings
from chimein_gui.adapters.store.rows.values import Row, from_micros, maybe_to_micros, to_micros
from chimein_gui.adapters.store.sql import Sql
from chimein_gui.domain.approvals import (
    OPERATOR,
    Approval,
    Approve,
    ApproveEdited,
    Reject,
    RejectionCause,
    RejectPlan,
    Verdict,
    rejection_words,
)
from chimein_gui.domain.cards import TrustSource
from chimein_gui.domain.ids import ApprovalId, ChatId
from chimein_gui.domain.plans.decision_log import DecisionKind
from chimein_gui.engine.ports import DecisionRecord

COLUMNS = "client_id, approval_id, version, decision, text, verdict, at, decided_by, cause"
LOG = """
INSERT INTO decisions (client_id, approval_id, version, decision, text, verdict, at, decided_by, cause,
    chat_id, agent_id, kind, rule_source, rule_since, rule_until)
VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
"""
LAST_REJECTION = f"""
SELECT text, at, cause FROM decisions INDEXED BY decisions_rejections WHERE chat_id = ? AND {REJECTION}
ORDER BY at DESC LIMIT 1
"""
_REJECTIONS = frozenset({Reject.__name__, RejectPlan.__name__})
"""The decisions in `REJECTION`."""
# By chat and time, because a decision is never older than its card.
LAST_OF_CARD = f"""
SELECT {COLUMNS} FROM decisions INDEXED BY decisions_of_chat
WHERE chat_id = ? AND at >= ? AND approval_id = ? AND verdict = 'accepted'
    AND decision NOT IN ('Postpone', 'Regenerate', 'SendAnyway')   -- the last made the card, and decided nothing
ORDER BY at DESC, version DESC LIMIT 1
"""


class SqliteDecisionRows:
    """The part of `engine.ports.ApprovalRows` for the decision log."""

    def __init__(self, sql: Sql) -> None:
        self._sql = sql
        self._decided = DecidedCards(sql)

    def log_decision(self, record: DecisionRecord) -> None:
        """Append to the decision log; an existing client id raises StoreError."""
        card = self._sql.first(card_row, CARD_BY_ID, record.approval_id, scope=card_scope)
        key = None if card is None else key_of(card)
        chat_id = None if key is None else key.chat_id
        kind = "" if key is None else _kind(record, key.draft_text)
        rule = chat_settings(self._sql, key.chat_id) if key is not None and kind == DecisionKind.BY_RULE else None
        source = "" if rule is None else TrustSource.AGENT if rule.trust is None else TrustSource.CHAT
        since, until = (
            (rule.trust_since, rule.trust_until) if rule is not None and rule.trust is not None else (None, None)
        )
        rejected = None if chat_id is None else self._sql.known(_rejection, LAST_REJECTION, chat_id)
        self._sql.run(
            LOG,
            record.client_id,
            record.approval_id,
            record.version,
            record.decision,
            record.text,
            record.verdict.value,
            to_micros(record.at),
            record.by,
            record.cause or "",
            chat_id,
            None if key is None else key.agent_id,
            kind,
            source,
            maybe_to_micros(since),
            maybe_to_micros(until),
            scope=chat_scope(chat_id),
        )
        if chat_id is not None and rejected is not None and record.decision not in _REJECTIONS:
            self._sql.know(rejected, _rejection, LAST_REJECTION, chat_id, scope=chat_scope(chat_id))
        self._decided.note(record, chat_id)

    def decision_of(self, client_id: str) -> DecisionRecord | None:
        return self._sql.first(_decision, f"SELECT {COLUMNS} FROM decisions WHERE client_id = ?", client_id)

    def last_decision(self, approval: Approval) -> DecisionRecord | None:
        return self._sql.first(
            _decision, LAST_OF_CARD, approval.chat_id, to_micros(approval.created_at), approval.approval_id
        )

    def last_rejection(self, chat_id: ChatId, since: datetime) -> str:
        found = self._sql.first(_rejection, LAST_REJECTION, chat_id, scope=chat_scope(chat_id))
        return found[0] if found is not None and found[1] >= since else ""


def _rejection(row: Row) -> tuple[str, datetime]:
    text, at, cause = row
    return rejection_words(RejectionCause(cause) if cause else None, text), from_micros(at)


_KINDS = {
    "Reject": DecisionKind.REJECTED,
    "RejectPlan": DecisionKind.PLAN_REJECTED,
    "Postpone": DecisionKind.POSTPONED,
    "Undo": DecisionKind.UNDONE,
    "Write": DecisionKind.WRITTEN,
    "SendAnyway": DecisionKind.SENT_ANYWAY,
    "Regenerate": DecisionKind.REGENERATED,
}


def _kind(record: DecisionRecord, draft: str) -> str:
    """Return the kind under which a decision is shown; empty if it was refused, or decides nothing."""
    if record.verdict is not Verdict.ACCEPTED:
        return ""
    if record.by != OPERATOR:
        return DecisionKind.BY_RULE
    if record.decision in (Approve.__name__, ApproveEdited.__name__):
        return DecisionKind.EDITED if record.text != draft else DecisionKind.APPROVED
    return _KINDS.get(record.decision, "")


def _decision(row: Row) -> DecisionRecord:
    client_id, approval_id, version, decision, text, verdict, at, by, cause = row
    return DecisionRecord(
        client_id=client_id,
        approval_id=ApprovalId(approval_id),
        version=version,
        decision=decision,
        text=text,
        verdict=Verdict(verdict),
        at=from_micros(at),
        by=by,
        cause=RejectionCause(cause) if cause else None,
    )
