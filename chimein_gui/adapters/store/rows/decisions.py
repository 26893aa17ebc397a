"""The decision log in the database: what is added to it, and what is read of it."""

from dataclasses import replace
from datetime import UTC, datetime

from chimein_gui.adapters.store.columns.approval_snapshots import CARD_BY_ID, card_row, card_scope, key_of
from chimein_gui.adapters.store.columns.conditions import REJECTION
from chimein_gui.adapters.store.columns.decided_cards import DecidedCards
from chimein_gui.adapters.store.memo import chat_scope
from chimein_gui.adapters.store.rows.chats import chat_settings
from chimein_gui.adapters.store.rows.values import Row, from_micros, maybe_from_micros, maybe_to_micros, to_micros
from chimein_gui.adapters.store.sql import Sql, Value
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
from chimein_gui.domain.ids import AgentId, ApprovalId, ChatId, GraphId, MessageId
from chimein_gui.domain.plans.decision_log import (
    DecisionFilter,
    DecisionKind,
    DecisionShare,
    DecisionTotals,
    LoggedDecision,
    LogPage,
    LogPosition,
    RuleInForce,
)
from chimein_gui.domain.tasks import TaskKind
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

SCANNED = 500
"""Lines examined for a page, whatever the filter, so that the cost of a read does not depend on the log's size."""

NEWEST = LogPosition(datetime(9999, 1, 1, tzinfo=UTC))
OLDEST = datetime(1970, 1, 1, tzinfo=UTC)

ORDER = "ORDER BY d.at DESC, d.kind DESC, d.client_id DESC"
LINE = """
SELECT d.client_id, d.at, d.kind, d.approval_id, d.chat_id, d.agent_id, g.name, c.title, d.version, d.decided_by,
    d.text, d.cause, d.rule_source, d.rule_since, d.rule_until, a.draft_text, a.text,
    (SELECT min(message_id) FROM ledger WHERE approval_id = d.approval_id AND message_id IS NOT NULL),
    (SELECT kind FROM tasks WHERE task_id = a.task_id), (SELECT graph_id FROM tasks WHERE task_id = a.task_id)
"""
PAGE = f"""
{LINE}
FROM decisions d INDEXED BY {{index}} CROSS JOIN approvals a ON a.approval_id = d.approval_id
    CROSS JOIN chats c ON c.chat_id = d.chat_id CROSS JOIN agents g ON g.agent_id = d.agent_id
WHERE {{where}} AND d.kind <> '' AND d.at >= ? AND (d.at, d.kind, d.client_id) < (?, ?, ?)
{ORDER} LIMIT ?
"""
LOGGED_WITHIN = 60_000_000
"""Microseconds: a decision and its log line are made in one transaction, but read the clock separately."""

OF_MESSAGE = f"""
{LINE}
FROM ledger l INDEXED BY ledger_of_message CROSS JOIN approvals a ON a.approval_id = l.approval_id
    CROSS JOIN decisions d INDEXED BY decisions_log_of_chat ON d.chat_id = l.chat_id
    AND d.at BETWEEN a.decided_at AND a.decided_at + {LOGGED_WITHIN}
    CROSS JOIN chats c ON c.chat_id = d.chat_id CROSS JOIN agents g ON g.agent_id = d.agent_id
WHERE l.chat_id = ? AND l.message_id = ? AND d.kind <> '' AND d.approval_id = l.approval_id
ORDER BY d.at LIMIT 1
"""
TOTALS = """
SELECT kind, count(*) FROM decisions d INDEXED BY {index}
WHERE {where} AND d.kind <> '' AND d.at >= ? AND d.at < ? GROUP BY kind
"""
SHARES = """
SELECT d.chat_id, c.title, d.agent_id, g.name, sum(d.kind = 'approved'), sum(d.kind = 'edited'),
    sum(d.kind IN ('rejected', 'plan rejected')), sum(d.kind = 'by rule')
FROM decisions d INDEXED BY {index} CROSS JOIN chats c ON c.chat_id = d.chat_id
    CROSS JOIN agents g ON g.agent_id = d.agent_id
WHERE {where} AND d.kind <> '' AND d.at >= ? AND d.at < ?
GROUP BY d.chat_id, d.agent_id
"""
WORDS_OF = frozenset({DecisionKind.REJECTED, DecisionKind.PLAN_REJECTED, DecisionKind.REGENERATED})


class SqliteDecisionRows:
    """Implements `engine.ports.DecisionRows`."""

    def __init__(self, sql: Sql) -> None:
        self._sql = sql
        self._decided = DecidedCards(sql)

    def add(self, record: DecisionRecord) -> None:
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

    def of_client(self, client_id: str) -> DecisionRecord | None:
        return self._sql.first(_decision, f"SELECT {COLUMNS} FROM decisions WHERE client_id = ?", client_id)

    def last_of(self, approval: Approval) -> DecisionRecord | None:
        return self._sql.first(
            _decision, LAST_OF_CARD, approval.chat_id, to_micros(approval.created_at), approval.approval_id
        )

    def last_rejection(self, chat_id: ChatId, since: datetime) -> str:
        found = self._sql.first(_rejection, LAST_REJECTION, chat_id, scope=chat_scope(chat_id))
        return found[0] if found is not None and found[1] >= since else ""

    def page(self, wanted: DecisionFilter, after: LogPosition | None, limit: int) -> LogPage:
        index, where, key = _way(wanted)
        begin = after or (LogPosition(wanted.until) if wanted.until else NEWEST)
        since = to_micros(wanted.since or OLDEST)
        place = to_micros(begin.at), begin.kind, begin.client_id
        scans = max(limit, SCANNED) if _is_narrower(wanted) else limit
        statement = PAGE.format(index=index, where=where)
        found = self._sql.all(statement, *key, since, *place, scans)
        rows: list[LoggedDecision] = []
        for row in found:
            one = _line(row)
            if wanted.holds(one):
                rows.append(one)
                if len(rows) == limit:
                    return LogPage(tuple(rows), one.position)
        rest = _line(found[-1]).position if len(found) == scans else None
        return LogPage(tuple(rows), rest)

    def of_message(self, chat_id: ChatId, message_id: MessageId) -> LoggedDecision | None:
        found = self._sql.all(OF_MESSAGE, chat_id, message_id)
        return _line(found[0]) if found else None

    def totals(self, wanted: DecisionFilter) -> DecisionTotals:
        index, where, key = _counted(wanted)
        span = to_micros(wanted.since or OLDEST), to_micros(wanted.until or NEWEST.at)
        count: dict[str, int] = dict(self._sql.all(TOTALS.format(index=index, where=where), *key, *span))
        if wanted.kind is not None:
            count = {wanted.kind.value: count.get(wanted.kind.value, 0)}
        return DecisionTotals(
            approved=count.get("approved", 0),
            edited=count.get("edited", 0),
            rejected=count.get("rejected", 0) + count.get("plan rejected", 0),
            by_rule=count.get("by rule", 0),
        )

    def shares(self, wanted: DecisionFilter) -> tuple[DecisionShare, ...]:
        index, where, key = _counted(replace(wanted, kind=None))
        span = to_micros(wanted.since or OLDEST), to_micros(wanted.until or NEWEST.at)
        return tuple(map(_share, self._sql.all(SHARES.format(index=index, where=where), *key, *span)))


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


def _way(wanted: DecisionFilter) -> tuple[str, str, tuple[Value, ...]]:
    """Return the index, its condition and its key, by the most selective field."""
    if wanted.chat_id is not None:
        return "decisions_log_of_chat", "d.chat_id = ?", (wanted.chat_id,)
    if wanted.agent_id is not None:
        return "decisions_log_of_agent", "d.agent_id = ?", (wanted.agent_id,)
    if wanted.kind is not None:
        return "decisions_log_of_kind", "d.kind = ?", (wanted.kind.value,)
    return "decisions_log", "1", ()


def _counted(wanted: DecisionFilter) -> tuple[str, str, tuple[Value, ...]]:
    """Return the same for totals, which count only the given agent even if the chat belonged to another before."""
    index, where, key = _way(wanted)
    if wanted.chat_id is None or wanted.agent_id is None:
        return index, where, key
    return index, f"{where} AND d.agent_id = ?", (*key, wanted.agent_id)


def _is_narrower(wanted: DecisionFilter) -> bool:
    """Return whether the filter is narrower than the index."""
    keyed = wanted.chat_id is not None or wanted.agent_id is not None
    both = wanted.chat_id is not None and wanted.agent_id is not None
    return bool(wanted.text) or both or (keyed and wanted.kind is not None)


def _share(row: Row) -> DecisionShare:
    chat_id, title, agent_id, name, *counts = row
    return DecisionShare(AgentId(agent_id), name, DecisionTotals(*counts), ChatId(chat_id), title)


def _line(row: Row) -> LoggedDecision:
    (client_id, at, kind, approval_id, chat_id, agent_id, agent_name, title, version, by, *rest) = row
    text, cause, source, since, until, draft, card_text, message_id, what, graph_id = rest
    named = DecisionKind(kind)
    says_words = named in WORDS_OF
    rule = None
    if named is DecisionKind.BY_RULE:
        rule = RuleInForce(
            by, TrustSource(source or TrustSource.CHAT), maybe_from_micros(since), maybe_from_micros(until)
        )
    return LoggedDecision(
        client_id=client_id,
        at=from_micros(at),
        kind=named,
        approval_id=ApprovalId(approval_id),
        chat_id=ChatId(chat_id),
        agent_id=AgentId(agent_id),
        agent_name=agent_name,
        chat_title=title,
        version=version,
        by=by,
        draft=draft,
        text=card_text if says_words else text,
        words=text if says_words else "",
        cause=RejectionCause(cause) if cause else None,
        rule=rule,
        message_id=None if message_id is None else MessageId(message_id),
        what=TaskKind(what or TaskKind.SEND),
        graph_id=None if graph_id is None else GraphId(graph_id),
    )
