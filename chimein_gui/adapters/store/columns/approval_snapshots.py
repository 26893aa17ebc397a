"""The query for approvals, which joins step, plan, chat, agent and requests, and the snapshot of its rows."""

from functools import lru_cache
from typing import NamedTuple

from chimein_gui.adapters.store.memo import Scope, chat_scope
from chimein_gui.adapters.store.rows.values import (
    SAME_ROWS,
    Row,
    context_counts,
    from_micros,
    maybe_file_from_json,
    maybe_from_micros,
    maybe_sticker_from_json,
    note_from_text,
    strings_from_json,
)
from chimein_gui.domain.approvals import Approval, AskReason, Part
from chimein_gui.domain.ids import AccountId, AgentId, ApprovalId, ChatId, GraphId, MessageId, PeerId, Revision, TaskId
from chimein_gui.domain.tasks import ApprovalState, LedgerState, Origin, TaskKind, TaskStatus
from chimein_gui.engine.ports import LedgerRow, TaskRow

SAVED = (
    "state, version, text, draft_text, reply_to_id, reasons, seen_up_to, sticker, changed_at, covers_up_to, newer,"
    " due_at, postponed_until, decided_at, decided_by, note"
)
"""The columns of an approval that a save writes, in this order."""
_OWN = ", ".join(f"a.{name}" for name in SAVED.split(", "))
_FIXED = """
a.approval_id, a.task_id, t.graph_id, t.chat_id, c.agent_id, c.account_id, c.peer_id, g.name, c.title, a.created_at,
t.kind, a.file, p.origin, p.span
"""
COLUMNS = f"""
{_OWN}, {_FIXED}, t.status,
(SELECT group_concat(l.ledger_id || ' ' || l.part || ' ' || l.state || ' ' || coalesce(l.message_id, ''))
    FROM ledger l INDEXED BY ledger_of_approval WHERE l.approval_id = a.approval_id AND l.state <> 'void')
"""
# CROSS JOIN keeps the order: SQLite begins with the few rows that are asked for, whatever its statistics say.
REST = (
    "CROSS JOIN graphs p ON p.graph_id = t.graph_id CROSS JOIN chats c ON c.chat_id = t.chat_id"
    " CROSS JOIN agents g ON g.agent_id = c.agent_id"
)
FROM_APPROVALS = f"SELECT {COLUMNS} FROM approvals a CROSS JOIN tasks t ON t.task_id = a.task_id {REST}"
"""For queries that find approvals."""
_CARD = f"SELECT {_OWN}, {_FIXED} FROM approvals a CROSS JOIN tasks t ON t.task_id = a.task_id {REST}"
CARD_BY_ID = f"{_CARD} WHERE a.approval_id = ?"
CARD_BY_TASK = f"{_CARD} WHERE a.task_id = ?"
"""An approval without what changes apart from it: the status of its step, and its requests."""
_SAVED_COUNT = len(SAVED.split(", "))
_DRAFT_TEXT = SAVED.split(", ").index("draft_text")
APPROVAL, TASK = _SAVED_COUNT, _SAVED_COUNT + 1
"""Where the ids of an approval and of its step are in a row of `CARD_BY_ID`."""
_CHAT = _SAVED_COUNT + 3


def from_tasks(index: str) -> str:
    """Return the beginning of queries that find steps `t` by an index."""
    return f"SELECT {COLUMNS} FROM tasks t INDEXED BY {index} CROSS JOIN approvals a ON a.task_id = t.task_id {REST}"


# A dict look-up is ten times as fast as the enum's constructor, and a start makes thousands of snapshots.
_STATES = {one.value: one for one in ApprovalState}
_STATUSES = {one.value: one for one in TaskStatus}
_KINDS = {one.value: one for one in TaskKind}
_ORIGINS = {one.value: one for one in Origin}


@lru_cache(SAME_ROWS)
def _reasons(stored: str) -> tuple[AskReason, ...]:
    return tuple(map(AskReason, strings_from_json(stored)))


def snapshot(row: Row) -> Approval:
    """Return the snapshot for a row of `COLUMNS`."""
    *_, status, requests = row
    return _same_approval(row[:-2], _STATUSES[status], _parts(requests) if requests else ())


def _approval(card: Row, task_status: TaskStatus, parts: tuple[Part, ...]) -> Approval:
    (state, version, text, draft_text, reply_to_id, reasons, seen_up_to, sticker, changed_at, *rest) = card
    (covers_up_to, newer, due_at, postponed_until, decided_at, decided_by, note, *rest) = rest
    (approval_id, task_id, graph_id, chat_id, agent_id, account_id, peer_id, agent_name, chat_title, *rest) = rest
    created_at, kind, file, origin, span = rest
    held, of = context_counts(span)
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
        state=_STATES[state],
        task_status=task_status,
        version=version,
        text=text,
        draft_text=draft_text,
        reply_to_id=None if reply_to_id is None else MessageId(reply_to_id),
        reasons=_reasons(reasons),
        seen_up_to=Revision(seen_up_to),
        created_at=from_micros(created_at),
        kind=_KINDS[kind],
        sticker=maybe_sticker_from_json(sticker),
        file=maybe_file_from_json(file),
        changed_at=Revision(changed_at),
        covers_up_to=MessageId(covers_up_to),
        newer=newer,
        origin=_ORIGINS[origin],
        due_at=maybe_from_micros(due_at),
        postponed_until=maybe_from_micros(postponed_until),
        decided_at=maybe_from_micros(decided_at),
        decided_by=decided_by,
        parts=parts,
        message_id=last_message(parts),
        note=note_from_text(note),
        context_held=held,
        context_of=of,
    )


_same_approval = lru_cache(SAME_ROWS)(_approval)


def card_row(row: Row) -> Row:
    """Return a row of `CARD_BY_ID` as it is."""
    return row


def new_card(  # noqa: PLR0913 - what the query joins
    values: Row,
    approval_id: ApprovalId,
    task: TaskRow,
    chat: Row,
    *,
    name: str,
    created_at: int,
    file: str | None,
    plan: Row,
) -> Row:
    """Return the row of `CARD_BY_ID` for an approval that was just inserted.

    Args:
        values: Its values of `SAVED`.
        approval_id: Its id.
        task: Its step.
        chat: The chat's agent, account, peer and title.
        name: The agent's name.
        created_at: When it was made, as stored.
        file: The file that is sent, as stored.
        plan: Origin and span of the plan, as stored.
    """
    agent_id, account_id, peer_id, title = chat
    ids = approval_id, task.task_id, task.graph_id, task.chat_id, agent_id, account_id, peer_id
    return (*values, *ids, name, title, created_at, task.kind.value, file, *plan)


def saved_over(card: Row, values: Row) -> Row:
    """Return a row of `CARD_BY_ID` after a save wrote these values of `SAVED`."""
    return (*values, *card[_SAVED_COUNT:])


class CardKey(NamedTuple):
    """To what a row of `CARD_BY_ID` belongs, and what the model wrote."""

    approval_id: ApprovalId
    task_id: TaskId
    chat_id: ChatId
    agent_id: AgentId
    draft_text: str


def key_of(card: Row) -> CardKey:
    """Return the ids in a row of `CARD_BY_ID`."""
    approval_id, task_id, _, chat_id, agent_id, *_ = card[_SAVED_COUNT:]
    return CardKey(approval_id, task_id, chat_id, agent_id, card[_DRAFT_TEXT])


def card_scope(card: Row) -> Scope:
    """Return the scope of a row of `CARD_BY_ID`."""
    return chat_scope(card[_CHAT])


def snapshot_of(card: Row, status: TaskStatus, requests: tuple[LedgerRow, ...]) -> Approval:
    """Return the snapshot of a row of `CARD_BY_ID`, its step's status and all its requests, by part and age."""
    if not requests:
        return _approval(card, status, ())
    newest = {one.part: one for one in requests if one.state is not LedgerState.VOID}
    return _approval(card, status, tuple([Part(one.part, one.state, one.message_id) for one in newest.values()]))


def _parts(requests: str) -> tuple[Part, ...]:
    """Return the parts in order; of several rows of one part (refused, then decided again) the newest counts."""
    newest: dict[int, tuple[int, Part]] = {}
    for request in requests.split(","):
        ledger_id, index, state, message_id = request.split(" ")
        part = Part(int(index), LedgerState(state), MessageId(int(message_id)) if message_id else None)
        newest[part.index] = max(newest.get(part.index, (0, part)), (int(ledger_id), part), key=lambda pair: pair[0])
    return tuple(newest[index][1] for index in sorted(newest))


def last_message(parts: tuple[Part, ...]) -> MessageId | None:
    """Return the message of the last part that was sent."""
    sent = [part.message_id for part in parts if part.state is LedgerState.SENT and part.message_id is not None]
    return sent[-1] if sent else None
