"""What a plan saw of its chat, and what it would see now, for the Context pane.

Functions that take a transaction run on the reader thread.
"""

from __future__ import annotations

import asyncio
from dataclasses import replace
from typing import TYPE_CHECKING

from chimein_gui.domain.chats import ChatKind
from chimein_gui.domain.ids import MessageId
from chimein_gui.domain.loaded import Loaded
from chimein_gui.domain.messages import MessageKey
from chimein_gui.domain.prompt.considered import (
    HISTORY,
    TRIGGER,
    ConsideredMessage,
    ContextSelection,
    StoredPlan,
)
from chimein_gui.engine.context.prepared_rows import rows_of, self_identity

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from chimein_gui.domain.agents import AgentSpec
    from chimein_gui.domain.chats import Chat
    from chimein_gui.domain.context import HistoryRow, LinkModel
    from chimein_gui.domain.context.explained import LinkExplanation
    from chimein_gui.domain.ids import AgentId, ChatId, GraphId
    from chimein_gui.domain.messages import Message
    from chimein_gui.engine.context.selection import ContextChooser
    from chimein_gui.engine.core.environment import TransactionEnvironment
    from chimein_gui.engine.ports import GraphRow, Store, Transaction

MOST_PLANS = 20
"""Number of newest plans that are offered."""

_SEARCHED = 50
"""Number of newest messages among which the one to answer is searched where nothing was planned yet."""

Chosen = tuple[bool, int | None, str]
"""In or out, percent, and reason of a message."""


class ContextReader:
    """Reads the stored choices of plans, and repeats the choice with the chat as it is now."""

    def __init__(
        self,
        store: Store,
        environment: TransactionEnvironment,
        spec_of: Callable[[AgentId], AgentSpec],
        chooser: ContextChooser,
        model: LinkModel | None,
    ) -> None:
        """Create the service.

        Args:
            store: The database.
            environment: Preferences.
            spec_of: Returns the current contents of an agent's file.
            chooser: Makes the choice of a plan.
            model: The weights of links; without them there are only explicit replies.
        """
        self._store, self._environment, self._spec_of = store, environment, spec_of
        self._chooser, self._model = chooser, model

    async def load(
        self, chat_id: ChatId, graph_id: GraphId | None = None, *, now: bool = False
    ) -> Loaded[ContextSelection]:
        """Return the messages considered for a plan.

        Args:
            chat_id: The chat.
            graph_id: The plan; None for the newest one.
            now: What would be taken now, instead of what a plan has stored.

        Raises:
            NotFoundError: There is no such chat, or no such plan.
            RefusedError: The agent's file is gone.
            StoreError: The database can't be read.
        """
        found, rows, revision = await self._store.read(
            lambda tx: (*self._read(tx, chat_id, graph_id, now=now), tx.revision)
        )
        if self._model is not None and rows:
            found = await asyncio.to_thread(_linked, found, rows, self._model)
        return Loaded((found,), revision)

    async def explain(
        self, chat_id: ChatId, message_id: MessageId, graph_id: GraphId | None = None, *, now: bool = False
    ) -> LinkExplanation | None:
        """Return what the weights say about one message of what `load` shows; None if nothing was weighed.

        Raises:
            NotFoundError, RefusedError, StoreError: As `load`.
        """
        _found, rows = await self._store.read(lambda tx: self._read(tx, chat_id, graph_id, now=now))
        if self._model is None or not rows:
            return None
        return await asyncio.to_thread(_explained, rows, message_id, self._model)

    def _read(
        self, tx: Transaction, chat_id: ChatId, graph_id: GraphId | None, *, now: bool
    ) -> tuple[ContextSelection, list[HistoryRow]]:
        chat = tx.chats.get(chat_id)
        current = tx.graphs.current_of(chat_id)
        past = tx.graphs.before(chat_id, None, limit=MOST_PLANS)
        plans = [one for one in ((current,) if current is not None else ()) + past if one.trigger_ids]
        shown = ContextSelection(chat_id, None, plans=tuple(StoredPlan(one.graph_id, one.created_at) for one in plans))
        if now or (graph_id is None and not plans):
            return self._now(tx, chat, shown, plans)
        graph = plans[0] if graph_id is None else tx.graphs.get(graph_id)
        return self._stored(tx, chat, shown, graph)

    def _now(
        self, tx: Transaction, chat: Chat, shown: ContextSelection, plans: list[GraphRow]
    ) -> tuple[ContextSelection, list[HistoryRow]]:
        waiting = tx.tasks.open_received(chat.chat_id)
        triggers = waiting.trigger_ids if waiting is not None else ()
        triggers = triggers or (plans[0].trigger_ids if plans else _newest(tx, chat))
        if not triggers:
            return shown, []
        spec = self._spec_of(chat.agent_id)
        preferences = self._environment.preferences
        context = self._chooser.choose(tx, chat, spec, triggers, preferences)
        wanted = spec.dm_history if chat.info.kind is ChatKind.DM else spec.group_history
        held = (*context.messages, *context.beside)
        chosen: dict[int, Chosen] = {int(one.key.message_id): (True, None, HISTORY) for one in held}
        for one in context.choices:
            chosen[one.message_id] = (one.included, round(100 * one.probability), one.reason)
        shown = replace(shown, history=None if wanted is None else min(wanted, preferences.history_limit))
        messages = {one.key.message_id: one for one in (*context.considered, *held)}
        return _selection(tx, chat, shown, messages, chosen, triggers)

    def _stored(
        self, tx: Transaction, chat: Chat, shown: ContextSelection, graph: GraphRow
    ) -> tuple[ContextSelection, list[HistoryRow]]:
        span, triggers = graph.span, graph.trigger_ids
        shown = replace(shown, graph_id=graph.graph_id)
        if span.chosen is not None:
            chosen: dict[int, Chosen] = {int(number): (True, None, HISTORY) for number in span.chosen}
            chosen.update((one.message_id, (one.included, one.percent, one.reason)) for one in span.choices)
            messages = _messages(tx, chat, (*chosen, *triggers))
            return _selection(tx, chat, shown, messages, chosen, triggers)
        spec = self._spec_of(chat.agent_id)
        is_fixed = (spec.dm_history if chat.info.kind is ChatKind.DM else spec.group_history) is not None
        limit = self._environment.preferences.history_limit
        taken = tx.messages.before(
            chat.info.account_id, chat.info.peer_id, before_id=MessageId(span.high + 1), limit=limit
        )
        messages = {one.key.message_id: one for one in taken if one.key.message_id >= span.low} if span.high else {}
        shown = replace(shown, history=len(messages) if is_fixed else None, is_stored=is_fixed)
        if not is_fixed:
            messages = {}
        messages |= _messages(tx, chat, (*triggers, *(span.extra if is_fixed else ())))
        chosen = {int(number): (True, None, HISTORY) for number, one in messages.items() if not one.deleted}
        return _selection(tx, chat, shown, messages, chosen, triggers)


def _newest(tx: Transaction, chat: Chat) -> tuple[MessageId, ...]:
    """Return the newest message of a partner, which would be answered if a plan were made now."""
    recent = tx.messages.before(chat.info.account_id, chat.info.peer_id, before_id=None, limit=_SEARCHED)
    partners = [one for one in recent if not (one.out or one.deleted or one.is_service)]
    return (partners[-1].key.message_id,) if partners else ()


def _messages(tx: Transaction, chat: Chat, ids: Iterable[int]) -> dict[MessageId, Message]:
    """Read messages by their ids: most of them lie side by side, and are read in one statement."""
    wanted = {MessageId(number) for number in ids}
    if not wanted:
        return {}
    account, peer = chat.info.account_id, chat.info.peer_id
    near = tx.messages.before(account, peer, before_id=MessageId(max(wanted) + 1), limit=len(wanted))
    found = {one.key.message_id: one for one in near if one.key.message_id in wanted}
    for number in sorted(wanted - found.keys()):
        if (message := tx.messages.get(MessageKey(account, peer, number))) is not None:
            found[number] = message
    return found


def _selection(
    tx: Transaction,
    chat: Chat,
    shown: ContextSelection,
    messages: Mapping[MessageId, Message],
    chosen: Mapping[int, Chosen],
    triggers: tuple[MessageId, ...],
) -> tuple[ContextSelection, list[HistoryRow]]:
    """Join messages and choices; the rows are those that links can be found for."""
    from chimein_gui.domain.context.time_gap import session_before

    ordered = [messages[number] for number in sorted(messages)]
    rows = rows_of(ordered, self_identity(tx, chat))
    target = next((row for row in reversed(rows) if row.message_id == max(triggers, default=0)), None)
    session: set[int] = set()
    if target is not None:
        before = [row for row in rows if row.message_id < target.message_id]
        near = [before[place] for place in session_before(before, target.sent_at)]
        session = {row.message_id for row in near if row.thread_id == target.thread_id} | {target.message_id}
    asked = set(triggers)
    made = []
    for message in ordered:
        number = message.key.message_id
        included, percent, reason = chosen.get(number, (False, None, "deleted or service"))
        if number in asked:
            included, percent, reason = not message.deleted, None, TRIGGER
        reply = message.reply_to_id if message.reply_to_id in messages else None
        one = ConsideredMessage(message, included, percent, reason, number in session, reply, reply is not None)
        made.append(one)
    answered = MessageId(target.message_id) if target is not None else None
    return replace(shown, messages=tuple(made), target=answered), rows


def _linked(found: ContextSelection, rows: list[HistoryRow], model: LinkModel) -> ContextSelection:
    """Add the most likely links of messages without an explicit reply; runs in a worker thread."""
    from chimein_gui.domain.context import likely_parents

    parents = likely_parents(rows, model)
    messages = tuple(
        replace(one, parent=MessageId(parents[one.message_id]))
        if one.parent is None and one.message_id in parents
        else one
        for one in found.messages
    )
    return replace(found, messages=messages)


def _explained(rows: list[HistoryRow], message_id: MessageId, model: LinkModel) -> LinkExplanation | None:
    """Explain the links of one message; runs in a worker thread."""
    from chimein_gui.domain.context import explain_link

    return explain_link(rows, int(message_id), model)
