"""An approval's own row, and its first snapshot where everything else in that is known."""

from chimein_gui.adapters.store.cache.row_cache import Kept
from chimein_gui.adapters.store.rows.values import (
    maybe_sticker_from_json,
    maybe_sticker_to_json,
    maybe_to_micros,
    note_from_text,
    note_to_text,
    to_json,
    to_micros,
    well_formed,
)
from chimein_gui.adapters.store.sql import Value
from chimein_gui.domain.approvals import Approval
from chimein_gui.domain.ids import ApprovalId
from chimein_gui.domain.tasks import ApprovalState
from chimein_gui.engine.ports import NewApproval

COLUMNS = (
    "approval_id, task_id, state, version, text, draft_text, reply_to_id, reasons, seen_up_to, created_at, sticker,"
    " changed_at, covers_up_to, newer, due_at, postponed_until, decided_at, decided_by, note, resolved_at"
)
INSERT = f"INSERT INTO approvals ({COLUMNS}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"
STATE, RESOLVED_AT = 2, 19
"""Where they stand among the columns."""


def values_of(approval: Approval | NewApproval, approval_id: ApprovalId, resolved_at: Value) -> tuple[Value, ...]:
    """Return the values of `COLUMNS`; a new one has version 1 and is not postponed."""
    version, postponed_until = (
        (1, None) if isinstance(approval, NewApproval) else (approval.version, approval.postponed_until)
    )
    return (
        approval_id,
        approval.task_id,
        approval.state.value,
        version,
        approval.text,
        approval.text if approval.draft_text is None else approval.draft_text,
        approval.reply_to_id,
        to_json(approval.reasons),
        approval.seen_up_to,
        to_micros(approval.created_at),
        maybe_sticker_to_json(approval.sticker),
        approval.changed_at,
        approval.covers_up_to,
        approval.newer,
        maybe_to_micros(approval.due_at),
        maybe_to_micros(postponed_until),
        maybe_to_micros(approval.decided_at),
        approval.decided_by,
        note_to_text(approval.note),
        resolved_at,
    )


def resolved_at(state: ApprovalState, before: tuple[Value, ...], now: int) -> Value:
    """Return since when an approval is resolved that is saved in a state; open ones are not."""
    if state is ApprovalState.OPEN:
        return None
    return before[RESOLVED_AT] if before[STATE] == state.value else now


def first_snapshot(kept: Kept, approval_id: ApprovalId, new: NewApproval) -> Approval | None:
    """Return the snapshot of a new approval; None where its step, its plan, its chat or its agent is not known."""
    step = kept.steps.get(new.task_id)
    graph = kept.graphs.get(step.graph_id) if step is not None and step.graph_id is not None else None
    chat = kept.chats.known(step.chat_id) if step is not None else None
    name = kept.approvals.name_of(chat.agent_id) if chat is not None else None
    if step is None or graph is None or chat is None or name is None:
        return None
    chosen = graph.span.chosen
    of = 0 if chosen is None else len({*chosen, *(one.message_id for one in graph.span.choices)})
    return Approval(
        approval_id=approval_id,
        task_id=new.task_id,
        graph_id=graph.graph_id,
        chat_id=chat.chat_id,
        agent_id=chat.agent_id,
        account_id=chat.info.account_id,
        peer_id=chat.info.peer_id,
        agent_name=name,
        chat_title=chat.info.title,
        state=new.state,
        task_status=step.status,
        version=1,
        text=well_formed(new.text),
        draft_text=well_formed(new.text if new.draft_text is None else new.draft_text),
        reply_to_id=new.reply_to_id,
        reasons=new.reasons,
        seen_up_to=new.seen_up_to,
        created_at=new.created_at,
        kind=step.kind,
        sticker=maybe_sticker_from_json(maybe_sticker_to_json(new.sticker)),
        changed_at=new.changed_at,
        covers_up_to=new.covers_up_to,
        newer=new.newer,
        origin=graph.origin,
        due_at=new.due_at,
        decided_at=new.decided_at,
        decided_by=well_formed(new.decided_by),
        note=note_from_text(note_to_text(new.note)),
        context_held=len(chosen or ()),
        context_of=of,
    )
