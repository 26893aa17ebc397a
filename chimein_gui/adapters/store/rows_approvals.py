"""Approvals and the decision log in the database."""

from collections.abc import Callable
from datetime import datetime

from chimein_gui.adapters.store.schema import OPEN
from chimein_gui.adapters.store.sql import Sql
from chimein_gui.adapters.store.values import (
    Row,
    from_micros,
    maybe_from_micros,
    maybe_to_micros,
    strings_from_json,
    to_json,
    to_micros,
)
from chimein_gui.domain.approvals import Approval, AskReason, Verdict
from chimein_gui.domain.ids import AccountId, AgentId, ApprovalId, ChatId, GraphId, MessageId, PeerId, TaskId
from chimein_gui.domain.tasks import ApprovalState, TaskStatus
from chimein_gui.engine.ports import DecisionRecord, NewApproval

COLUMNS = """
a.approval_id, a.task_id, t.graph_id, t.chat_id, c.agent_id, c.account_id, c.peer_id, g.name, c.title,
a.state, t.status, a.version, a.text, a.draft_text, a.reply_to_id, a.reasons, a.seen_up_to,
a.created_at, a.due_at, a.decided_at, a.decided_by,
(SELECT message_id FROM ledger WHERE approval_id = a.approval_id AND state = 'sent' ORDER BY ledger_id DESC LIMIT 1),
a.note
"""
# CROSS JOIN keeps the order: SQLite begins with the few rows that are asked for, whatever its statistics say.
CHAT_AND_AGENT = "CROSS JOIN chats c ON c.chat_id = t.chat_id CROSS JOIN agents g ON g.agent_id = c.agent_id"
FROM_APPROVALS = f"SELECT {COLUMNS} FROM approvals a CROSS JOIN tasks t ON t.task_id = a.task_id {CHAT_AND_AGENT}"
WAITING = (
    f"SELECT {COLUMNS} FROM tasks t INDEXED BY tasks_open"
    f" CROSS JOIN approvals a ON a.task_id = t.task_id {CHAT_AND_AGENT}"
    f" WHERE t.{OPEN} ORDER BY a.created_at, a.approval_id"
)
RESOLVED = f"{FROM_APPROVALS} WHERE a.resolved_at >= ? ORDER BY a.resolved_at DESC, a.approval_id DESC LIMIT ?"
SAVE = """
UPDATE approvals SET resolved_at = CASE WHEN ? = 'open' THEN NULL WHEN ? = state THEN resolved_at ELSE ? END,
    state = ?, version = ?, text = ?, draft_text = ?, reply_to_id = ?, reasons = ?, seen_up_to = ?,
    due_at = ?, decided_at = ?, decided_by = ?, note = ?
WHERE approval_id = ?
"""


class SqliteApprovalRows:
    """Implements `engine.ports.ApprovalRows`."""

    def __init__(self, sql: Sql, now: Callable[[], datetime]) -> None:
        """Keep `now`, which dates a change of state: a superseded approval has no time of decision of its own."""
        self._sql = sql
        self._now = now

    def add(self, new: NewApproval) -> Approval:
        """Insert with version 1 and return the full snapshot."""
        is_open = new.state is ApprovalState.OPEN
        approval_id = self._sql.insert(
            "INSERT INTO approvals (task_id, state, version, text, draft_text, reply_to_id, reasons, seen_up_to,"
            " created_at, due_at, decided_at, decided_by, resolved_at) VALUES (?, ?, 1, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
            new.task_id,
            new.state.value,
            new.text,
            new.text,
            new.reply_to_id,
            to_json(new.reasons),
            new.seen_up_to,
            to_micros(new.created_at),
            maybe_to_micros(new.due_at),
            maybe_to_micros(new.decided_at),
            new.decided_by,
            None if is_open else to_micros(self._now()),
        )
        return self.get(ApprovalId(approval_id))

    def get(self, approval_id: ApprovalId) -> Approval:
        """Return one snapshot, joined with its task, chat and agent; raises LookupError."""
        row = self._sql.one(f"{FROM_APPROVALS} WHERE a.approval_id = ?", approval_id)
        if row is None:
            raise LookupError(f"no approval {approval_id}")
        return _approval(row)

    def of_task(self, task_id: TaskId) -> Approval:
        """Return the approval of a planned send; raises LookupError."""
        row = self._sql.one(f"{FROM_APPROVALS} WHERE a.task_id = ?", task_id)
        if row is None:
            raise LookupError(f"task {task_id} has no approval")
        return _approval(row)

    def save(self, approval: Approval) -> None:
        """Write back all mutable columns (not the task's status, which belongs to `TaskRows.save`)."""
        self._sql.change(
            SAVE,
            approval.state.value,
            approval.state.value,
            to_micros(self._now()),
            approval.state.value,
            approval.version,
            approval.text,
            approval.draft_text,
            approval.reply_to_id,
            to_json(approval.reasons),
            approval.seen_up_to,
            maybe_to_micros(approval.due_at),
            maybe_to_micros(approval.decided_at),
            approval.decided_by,
            approval.note,
            approval.approval_id,
            missing=f"no approval {approval.approval_id}",
        )

    def waiting(self) -> tuple[Approval, ...]:
        """Return all whose planned send is not final, oldest first, over all chats."""
        return tuple(map(_approval, self._sql.all(WAITING)))

    def resolved_since(self, since: datetime, *, limit: int) -> tuple[Approval, ...]:
        """Return the last decided or superseded ones, newest first."""
        return tuple(map(_approval, self._sql.all(RESOLVED, to_micros(since), max(0, limit))))

    def log_decision(self, record: DecisionRecord) -> None:
        """Append to the decision log; a client id that is there already raises StoreError."""
        self._sql.run(
            "INSERT INTO decisions (client_id, approval_id, version, decision, text, verdict, at)"
            " VALUES (?, ?, ?, ?, ?, ?, ?)",
            record.client_id,
            record.approval_id,
            record.version,
            record.decision,
            record.text,
            record.verdict.value,
            to_micros(record.at),
        )

    def decision_of(self, client_id: str) -> DecisionRecord | None:
        """Return the logged decision with this client id, or None."""
        row = self._sql.one(
            "SELECT client_id, approval_id, version, decision, text, verdict, at FROM decisions WHERE client_id = ?",
            client_id,
        )
        return None if row is None else _decision(row)


def _approval(row: Row) -> Approval:
    (approval_id, task_id, graph_id, chat_id, agent_id, account_id, peer_id, agent_name, chat_title, *rest) = row
    (state, task_status, version, text, draft_text, reply_to_id, reasons, seen_up_to, *rest) = rest
    created_at, due_at, decided_at, decided_by, message_id, note = rest
    return Approval(
        approval_id=ApprovalId(approval_id),
        task_id=TaskId(task_id),
        graph_id=GraphId(graph_id),
        chat_id=ChatId(chat_id),
        agent_id=AgentId(agent_id),
        account_id=AccountId(account_id),
        peer_id=PeerId(peer_id),
        agent_name=agent_name,
        chat_title=chat_title,
        state=ApprovalState(state),
        task_status=TaskStatus(task_status),
        version=version,
        text=text,
        draft_text=draft_text,
        reply_to_id=None if reply_to_id is None else MessageId(reply_to_id),
        reasons=tuple(map(AskReason, strings_from_json(reasons))),
        seen_up_to=MessageId(seen_up_to),
        created_at=from_micros(created_at),
        due_at=maybe_from_micros(due_at),
        decided_at=maybe_from_micros(decided_at),
        decided_by=decided_by,
        message_id=None if message_id is None else MessageId(message_id),
        note=note,
    )


def _decision(row: Row) -> DecisionRecord:
    client_id, approval_id, version, decision, text, verdict, at = row
    return DecisionRecord(
        client_id=client_id,
        approval_id=ApprovalId(approval_id),
        version=version,
        decision=decision,
        text=text,
        verdict=Verdict(verdict),
        at=from_micros(at),
    )
