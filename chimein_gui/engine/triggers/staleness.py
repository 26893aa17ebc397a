"""Effects of an edit, a delete or a new message on drafts that have not seen it, and on messages not stored yet.

"Conversation changed": an open draft is marked and gets a new version. A draft that the operator approved is marked and
stays approved: the claim sends it back, unless he takes it back before. A draft that a rule approved goes to review at
once, so that its countdown stops. Age is no event: the claim and the decision check it (12 h), so that no scan is
needed. See docs/behaviour.md, "Conversation changed".

A history that is being fetched has the messages as they were at the time of the request. An edit or delete meanwhile is
reported at once, for a message that is not stored yet, and is not reported again.

Functions that take a transaction run on the writer thread or on the reader thread.
"""

from __future__ import annotations

from dataclasses import replace
from itertools import chain
from typing import TYPE_CHECKING, TypeVar

from chimein_gui.domain.approvals import AskReason, with_reason
from chimein_gui.domain.chats import ChatKind
from chimein_gui.domain.events import EngineEvent, TaskStatusChanged
from chimein_gui.domain.messages import MessageKey
from chimein_gui.domain.notes import Note, NoteKind
from chimein_gui.domain.tasks import PLANNED_KINDS, Origin, TaskStatus
from chimein_gui.engine.tasks.transitions import back_to_review
from chimein_gui.engine.triggers.mentions import is_callout
from chimein_gui.engine.triggers.triggers import REWRITTEN, is_ignored

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping
    from datetime import datetime

    from chimein_gui.domain.approvals import Approval
    from chimein_gui.domain.chats import Chat
    from chimein_gui.domain.ids import AccountId, GraphId, MessageId, PeerId
    from chimein_gui.domain.messages import Message
    from chimein_gui.engine.ports import GraphRow, Transaction

WENT_ON = Note(NoteKind.WENT_ON)

_DECIDABLE = frozenset({TaskStatus.AWAITING_DECISION, TaskStatus.PARKED})
_ENDED = frozenset({TaskStatus.SKIPPED, TaskStatus.CANCELLED})
_REJECTED = frozenset({TaskStatus.SKIPPED})
_WITH_THE_CLAIM = frozenset({TaskStatus.APPROVED, TaskStatus.SENDING, TaskStatus.UNKNOWN})
"""Approved and running sends keep the version of their prepared requests; the claim checks `changed_at`."""


def message_came(tx: Transaction, chat: Chat, message: Message) -> list[EngineEvent]:
    """Handle a new message of somebody else: drafts that it concerns become stale, the others count it.

    Args:
        tx: The transaction that stores it.
        chat: The conversation.
        message: A newly stored incoming message, so no prompt contains it; late delivery may give it a low id.
            Service messages change nothing.
    """
    if message.is_service or message.deleted:
        return []
    events: list[EngineEvent] = []
    concerned: dict[GraphId, bool] = {}
    for graph, approval in _drafts(tx, chat):
        if graph.graph_id not in concerned:
            concerned[graph.graph_id] = concerns(tx, chat, graph, message)
        if concerned[graph.graph_id]:
            events.append(_mark(tx, approval))
        else:
            tx.approvals.save(replace(approval, newer=approval.newer + 1))
            events.append(TaskStatusChanged(tx.approvals.get(approval.approval_id), tx.revision))
    for graph, approval in _taken_out(tx, chat):
        if concerns(tx, chat, graph, message):
            _remember(tx, approval)
        else:
            tx.approvals.save(replace(approval, newer=approval.newer + 1))
    return events


def message_changed(tx: Transaction, chat: Chat, message: Message) -> list[EngineEvent]:
    """Handle an edited or deleted message: drafts whose prompt contains it become stale.

    A plan that is being made can't take it into account, so its drafts are marked from the beginning.
    """
    received = tx.tasks.open_received(chat.chat_id)
    if received is not None and received.status is TaskStatus.RUNNING:
        tx.tasks.save(replace(received, reason=REWRITTEN))
    number = message.key.message_id
    for graph, approval in _taken_out(tx, chat):
        if graph.span.holds(number):
            _remember(tx, approval)
    return [_mark(tx, approval) for graph, approval in _drafts(tx, chat) if graph.span.holds(number)]


def conversation_changed(tx: Transaction, chat: Chat) -> list[EngineEvent]:
    """Make every draft of a chat stale, because the operator writes himself."""
    for _, approval in _taken_out(tx, chat):
        _remember(tx, approval)
    return [_mark(tx, approval) for _, approval in _drafts(tx, chat)]


def context_took(tx: Transaction, chat: Chat, taken: Mapping[GraphId, int]) -> list[EngineEvent]:
    """Mark the drafts of plans whose context would include newer messages that were only counted so far.

    Args:
        tx: A transaction after the one that stored the messages.
        chat: The conversation.
        taken: How many messages each plan would include.
    """
    for graph, approval in _taken_out(tx, chat):
        if graph.graph_id in taken:
            _remember(tx, replace(approval, newer=max(0, approval.newer - taken[graph.graph_id])))
    return [
        _mark(tx, replace(approval, newer=max(0, approval.newer - taken[graph.graph_id])))
        for graph, approval in _drafts(tx, chat)
        if graph.graph_id in taken
    ]


def plans_with_drafts(tx: Transaction, chat: Chat) -> list[GraphRow]:
    """Return the plans of a chat that still have unsent messages, or could have them again."""
    both = chain(_drafts(tx, chat), _taken_out(tx, chat))
    return list({graph.graph_id: graph for graph, _ in both}.values())


def concerns(tx: Transaction, chat: Chat, graph: GraphRow, message: Message) -> bool:
    """Tell whether a newer message makes the drafts of a plan stale, rather than being counted only.

    In a DM every message of the partner does. In a group: a callout, a reply to the agent or to the anchor, a message
    of a trigger's author, unless this account has blocked the author. Whether the plan's context would include it is
    checked after the commit (`staleness_watch`).
    """
    if chat.info.kind is ChatKind.DM:
        return True
    if is_ignored(tx, chat, message):
        return False
    account, peer = chat.info.account_id, chat.info.peer_id
    answered = [tx.messages.get(MessageKey(account, peer, number)) for number in graph.trigger_ids]
    if message.sender_id is not None and any(one and one.sender_id == message.sender_id for one in answered):
        return True
    target = answered[-1] if answered else None
    anchor = target.reply_to_id if target is not None else None
    if anchor is not None and message.reply_to_id == anchor:
        return True
    return is_callout(tx, chat, message)


def _drafts(tx: Transaction, chat: Chat) -> Iterator[tuple[GraphRow, Approval]]:
    """Yield the agent's unsent messages, each with its plan, without the operator's own messages."""
    graphs: dict[GraphId, GraphRow] = {}
    for task in tx.tasks.current_of_chat(chat.chat_id):
        if task.kind not in PLANNED_KINDS or task.graph_id is None:
            continue
        if task.graph_id not in graphs:
            graphs[task.graph_id] = tx.graphs.get(task.graph_id)
        graph = graphs[task.graph_id]
        if graph.origin is Origin.OPERATOR:
            continue
        if task.status in _DECIDABLE or task.status in _WITH_THE_CLAIM:
            yield graph, tx.approvals.of_task(task.task_id)


def _taken_out(tx: Transaction, chat: Chat) -> Iterator[tuple[GraphRow, Approval]]:
    """Yield the messages that no longer wait in the current plan since the operator rejected them or edited it.

    Undoing that brings one back, and it then has to know what has changed meanwhile.
    """
    graph = tx.graphs.current_of(chat.chat_id)
    if graph is None:
        return
    steps = tx.tasks.of_graph(graph.graph_id)
    over = [task for task in steps if task.kind in PLANNED_KINDS and task.status in _ENDED]
    ended = _ENDED if over and tx.plan_edits.count(graph.graph_id) else _REJECTED
    for task in over:
        if task.status in ended:
            yield graph, tx.approvals.of_task(task.task_id)


def _remember(tx: Transaction, approval: Approval) -> None:
    """Note on a final card, which is not shown any more, that the conversation has changed."""
    tx.approvals.save(replace(approval, changed_at=tx.revision))


def _mark(tx: Transaction, approval: Approval) -> EngineEvent:
    reasons = with_reason(approval.reasons, AskReason.CHANGED)
    marked = replace(approval, reasons=reasons, changed_at=tx.revision)
    if approval.task_status is TaskStatus.APPROVED and approval.by_rule:
        back_to_review(tx, marked, AskReason.CHANGED, WENT_ON)
    elif approval.task_status in _WITH_THE_CLAIM:
        tx.approvals.save(marked)
    else:
        tx.approvals.save(replace(marked, version=approval.version + 1))
    return TaskStatusChanged(tx.approvals.get(approval.approval_id), tx.revision)


_EDITS = 200
_DELETES = 2_000
_NEWEST_CHANNEL = -1_000_000_000_000
"""Channels have marked ids below it and their own message ids; all other chats of an account share a sequence."""

_Place = tuple[int, int | None, int]
K = TypeVar("K")
V = TypeVar("V")


class PendingEdits:
    """Remembers the last edits and deletes of unknown messages; most of these are old and never fetched."""

    def __init__(self) -> None:
        self._edits: dict[MessageKey, Message] = {}
        self._deletes: dict[_Place, None] = {}

    def edited(self, message: Message) -> None:
        """Remember an edit."""
        if message.edited_at is not None:
            self._edits.pop(message.key, None)
            self._edits[message.key] = message
            _keep_newest(self._edits, _EDITS)

    def deleted(self, account_id: AccountId, peer_id: PeerId | None, ids: Iterable[MessageId]) -> None:
        """Remember deletes as they are reported; without a peer they are outside of channels."""
        self._deletes.update(dict.fromkeys((account_id, peer_id, message_id) for message_id in ids))
        _keep_newest(self._deletes, _DELETES)

    def as_it_is_now(self, message: Message) -> Message:
        """Return a message that is about to be stored, with the remembered edit or delete applied."""
        key = message.key
        edit = self._edits.get(key)
        if edit is not None and _edited(message) <= _edited(edit):
            message = replace(message, text=edit.text, entities=edit.entities, edited_at=edit.edited_at)
        without_peer = (key.account_id, None, key.message_id)
        is_gone = (key.account_id, key.peer_id, key.message_id) in self._deletes or (
            key.peer_id > _NEWEST_CHANNEL and without_peer in self._deletes
        )
        return replace(message, deleted=True) if is_gone else message


def _edited(message: Message) -> datetime:
    return message.edited_at or message.sent_at


def _keep_newest(remembered: dict[K, V], count: int) -> None:
    while len(remembered) > count:
        del remembered[next(iter(remembered))]
