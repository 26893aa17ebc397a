"""Approvals in the database."""

from collections.abc import Callable
from datetime import datetime

from chimein_gui.adapters.store.columns.approval_snapshots import (
    APPROVAL,
    CARD_BY_ID,
    CARD_BY_TASK,
    FROM_APPROVALS,
    SAVED,
    TASK,
    card_row,
    card_scope,
    from_tasks,
    new_card,
    saved_over,
    snapshot,
    snapshot_of,
)
from chimein_gui.adapters.store.columns.conditions import IN_A_PLAN, OPEN
from chimein_gui.adapters.store.columns.decided_cards import DecidedCards
from chimein_gui.adapters.store.memo import NOTHING, chat_scope
from chimein_gui.adapters.store.rows.chats import chat_of_cards
from chimein_gui.adapters.store.rows.graphs import PLAN_OF_CARD, as_stored
from chimein_gui.adapters.store.rows.ledger import know_no_requests, requests_of
from chimein_gui.adapters.store.rows.tasks import task_of
from chimein_gui.adapters.store.rows.values import (
    SAME_ROWS,
    Row,
    encoded,
    maybe_file_from_json,
    maybe_file_to_json,
    maybe_from_micros,
    maybe_sticker_to_json,
    maybe_to_micros,
    note_to_text,
    to_json,
    to_micros,
    well_formed,
)
from chimein_gui.adapters.store.sql import Sql
from chimein_gui.domain.approvals import Approval, AskReason
from chimein_gui.domain.errors import NotFoundError
from chimein_gui.domain.ids import ApprovalId, ChatId, GraphId, TaskId
from chimein_gui.domain.tasks import ApprovalState, TaskStatus
from chimein_gui.engine.ports import LedgerRow, NewApproval

_WAITING = f"{from_tasks('tasks_open')} WHERE {OPEN} AND t.status NOT IN ('parked', 'pending')"
_OLDEST_FIRST = "ORDER BY a.created_at, a.approval_id"
WAITING = f"{_WAITING} {_OLDEST_FIRST}"
WAITING_FOR = f"{_WAITING} AND instr(a.reasons, ?) {_OLDEST_FIRST}"
OF_CHAT = f"{from_tasks('tasks_open')} WHERE t.chat_id = ? AND {OPEN} ORDER BY t.graph_id, t.position, t.task_id"
OF_GRAPH = f"{from_tasks('tasks_of_graph')} WHERE t.graph_id = ? AND t.{IN_A_PLAN} ORDER BY t.position, t.task_id"
LAST_RESOLVED = (
    "SELECT max(a.resolved_at) FROM tasks t INDEXED BY tasks_of_graph CROSS JOIN approvals a ON a.task_id = t.task_id"
    f" WHERE t.graph_id = ? AND t.{IN_A_PLAN}"
)
RESOLVED = f"{FROM_APPROVALS} WHERE a.resolved_at >= ? ORDER BY a.resolved_at DESC, a.approval_id DESC LIMIT ?"
FILES = (
    "SELECT a.file FROM tasks t INDEXED BY tasks_open CROSS JOIN approvals a ON a.task_id = t.task_id"
    f" WHERE {OPEN} AND a.file IS NOT NULL"
    " UNION ALL SELECT file FROM approvals WHERE resolved_at >= ? AND file IS NOT NULL"
)
INSERT = f"""
INSERT INTO approvals ({SAVED}, task_id, created_at, file, resolved_at)
VALUES (?{", ?" * SAVED.count(",")}, ?, ?, ?, ?)
"""
AGENTS_NAME = "SELECT name FROM agents WHERE agent_id = ?"
CARDS = frozenset({CARD_BY_ID, CARD_BY_TASK})
"""Queries whose results are known after an approval was written that was known before."""
SAVE = f"""
UPDATE approvals SET resolved_at = CASE WHEN ? = 'open' THEN NULL WHEN ? = state THEN resolved_at ELSE ? END,
    {" = ?, ".join(SAVED.split(", "))} = ? WHERE approval_id = ?
"""


class SqliteApprovalRows:
    """Implements `engine.ports.ApprovalRows`."""

    def __init__(self, sql: Sql, now: Callable[[], datetime]) -> None:
        """Create the row set; `now` dates changes of state, because a superseded approval has no time of decision."""
        self._sql, self._now = sql, now
        self._decided = DecidedCards(sql)
        self._made: dict[int, tuple[Row, TaskStatus, tuple[LedgerRow, ...], Approval]] = {}
        """By approval: the newest snapshot, and what it was made of."""
        self._made_in = sql.epoch

    def add(self, new: NewApproval) -> Approval:
        task = task_of(self._sql, new.task_id)
        values = (
            new.state.value,
            1,
            well_formed(new.text),
            well_formed(new.text if new.draft_text is None else new.draft_text),
            new.reply_to_id,
            to_json(new.reasons),
            new.seen_up_to,
            maybe_sticker_to_json(new.sticker),
            new.changed_at,
            new.covers_up_to,
            new.newer,
            maybe_to_micros(new.due_at),
            None,
            maybe_to_micros(new.decided_at),
            well_formed(new.decided_by),
            note_to_text(new.note),
        )
        created_at, file = to_micros(new.created_at), maybe_file_to_json(new.file)
        resolved_at = None if new.state is ApprovalState.OPEN else to_micros(self._now())
        written, scope = (*values, task.task_id, created_at, file, resolved_at), chat_scope(task.chat_id)
        approval_id = ApprovalId(self._sql.insert(INSERT, *written, scope=scope))
        know_no_requests(self._sql, approval_id, task.chat_id)
        self._decided.know_undecided(approval_id, task.chat_id)
        if task.graph_id is None:
            return self.of_task(new.task_id)
        chat = chat_of_cards(self._sql, task.chat_id)
        name, plan = self._sql.one(AGENTS_NAME, chat[0]), self._sql.first(as_stored, PLAN_OF_CARD, task.graph_id)
        if name is None or plan is None:
            return self.of_task(new.task_id)
        card = new_card(values, approval_id, task, chat, name=name[0], created_at=created_at, file=file, plan=plan)
        self._know(card)
        return self._whole(card)

    def get(self, approval_id: ApprovalId) -> Approval:
        card = self._sql.first(card_row, CARD_BY_ID, approval_id, scope=card_scope)
        if card is None:
            raise NotFoundError(f"no approval {approval_id}")
        return self._whole(card)

    def of_task(self, task_id: TaskId) -> Approval:
        known = self._sql.known(card_row, CARD_BY_TASK, task_id)
        if known:
            return self._whole(known[0])
        card = self._sql.first(card_row, CARD_BY_TASK, task_id, scope=card_scope)
        if card is None:
            raise NotFoundError(f"task {task_id} has no approval")
        self._know(card)
        return self._whole(card)

    def save(self, approval: Approval) -> None:
        state, now = approval.state.value, to_micros(self._now())
        values = (
            state,
            approval.version,
            well_formed(approval.text),
            well_formed(approval.draft_text),
            approval.reply_to_id,
            to_json(approval.reasons),
            approval.seen_up_to,
            maybe_sticker_to_json(approval.sticker),
            approval.changed_at,
            approval.covers_up_to,
            approval.newer,
            maybe_to_micros(approval.due_at),
            maybe_to_micros(approval.postponed_until),
            maybe_to_micros(approval.decided_at),
            approval.decided_by,
            well_formed(note_to_text(approval.note)),
        )
        before = self._sql.known(card_row, CARD_BY_ID, approval.approval_id)
        missing, scope = f"no approval {approval.approval_id}", chat_scope(approval.chat_id)
        written = state, state, now, *values, approval.approval_id
        self._sql.change(SAVE, *written, missing=missing, scope=scope, known=CARDS if before else NOTHING)
        if before:
            self._know(saved_over(before[0], values))
        self._decided.follow(approval)

    def _whole(self, card: Row) -> Approval:
        """Return the snapshot; the writer knows the step and the requests of what it decides."""
        if self._made_in != self._sql.epoch:  # so that the reader, which never sees a row again, holds next to none
            self._made.clear()
            self._made_in = self._sql.epoch
        number = card[APPROVAL]
        status, requests = task_of(self._sql, card[TASK]).status, requests_of(self._sql, number)
        made = self._made.get(number)
        if made is not None and made[0] is card and made[1] is status and made[2] is requests:
            return made[3]
        snapshot = snapshot_of(card, status, requests)
        if len(self._made) >= SAME_ROWS:
            self._made.clear()
        self._made[number] = card, status, requests, snapshot
        return snapshot

    def _know(self, card: Row) -> None:
        scope = card_scope(card)
        self._sql.know((card,), card_row, CARD_BY_ID, card[APPROVAL], scope=scope)
        self._sql.know((card,), card_row, CARD_BY_TASK, card[TASK], scope=scope)

    def waiting(self) -> tuple[Approval, ...]:
        return self._sql.made(snapshot, WAITING)

    def waiting_for(self, reason: AskReason) -> tuple[Approval, ...]:
        return self._sql.made(snapshot, WAITING_FOR, encoded(reason))

    def files(self, since: datetime) -> tuple[str, ...]:
        return self._sql.made(_stored_as, FILES, to_micros(since))

    def of_chat(self, chat_id: ChatId) -> tuple[Approval, ...]:
        return self._sql.made(snapshot, OF_CHAT, chat_id)

    def of_graph(self, graph_id: GraphId) -> tuple[Approval, ...]:
        return self._sql.made(snapshot, OF_GRAPH, graph_id)

    def last_resolved(self, graph_id: GraphId) -> datetime | None:
        found = self._sql.one(LAST_RESOLVED, graph_id)
        return maybe_from_micros(found[0]) if found is not None else None

    def resolved_since(self, since: datetime, *, limit: int) -> tuple[Approval, ...]:
        return self._sql.made(snapshot, RESOLVED, to_micros(since), max(0, limit))


def _stored_as(row: Row) -> str:
    file = maybe_file_from_json(row[0])
    assert file is not None
    return file.stored_as
