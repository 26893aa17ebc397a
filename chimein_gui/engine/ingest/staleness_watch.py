"""Staleness of drafts in groups: checks whether the plan's context would include newer messages.

The choice is made again with the trigger moved after the newest message. That takes milliseconds, so it is done in a
thread after the commit of the message, for all messages of a chat at once; the drafts are marked in a transaction of
their own. A send that is claimed between the two counts as claimed before the message came. Functions that take a
transaction run on the reader thread.
"""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from typing import TYPE_CHECKING

from chimein_gui.domain.chats import ChatKind
from chimein_gui.domain.messages import MessageKey
from chimein_gui.domain.notes import Note
from chimein_gui.domain.notes.faults import FaultReason
from chimein_gui.engine.context.prepared_rows import rows_of, self_identity
from chimein_gui.engine.context.selection import LATER, would_take
from chimein_gui.engine.core.jobs import JobKeeper
from chimein_gui.engine.ports import Durability
from chimein_gui.engine.triggers.staleness import concerns, context_took, plans_with_drafts

if TYPE_CHECKING:
    from collections.abc import Iterable

    from chimein_gui.domain.context import LinkModel
    from chimein_gui.domain.ids import ChatId, GraphId, MessageId
    from chimein_gui.domain.messages import Message
    from chimein_gui.engine.context.prepared_rows import SelfIdentity
    from chimein_gui.engine.core.commits import UnitOfWork
    from chimein_gui.engine.core.event_bus import EventBus
    from chimein_gui.engine.ports import Clock, GraphRow, Spawn, Transaction


@dataclass(frozen=True, slots=True)
class _Case:
    """One plan with drafts, and newer messages that do not make it stale by themselves.

    Attributes:
        graph_id: The plan.
        targets: Its triggers.
        messages: The newest of the chat, oldest first.
        newer: The messages among them that are newer than the plan.
        me: The agent's identity in the chat.
    """

    graph_id: GraphId
    targets: tuple[Message, ...]
    messages: tuple[Message, ...]
    newer: frozenset[MessageId]
    me: SelfIdentity


class StalenessWatch:
    """Checks newer messages of groups with drafts."""

    def __init__(self, unit: UnitOfWork, bus: EventBus, clock: Clock, spawn: Spawn, model: LinkModel | None) -> None:
        """Without a model this check is off."""
        self._unit = unit
        self._spawn = spawn
        self._model = model
        self._pending: dict[ChatId, set[MessageId]] = {}
        self._working = False
        self._keeper = JobKeeper(bus, clock, spawn)

    def newer_came(self, chat_id: ChatId, ids: Iterable[MessageId]) -> None:
        """Check messages, soon, that were stored in a group with drafts."""
        if self._model is None:
            return
        self._pending.setdefault(chat_id, set()).update(ids)
        if not self._working:
            self._working = True
            self._spawn(self._work_off(), name="watch context")

    def planned(self, chat_id: ChatId, covers_up_to: MessageId) -> None:
        """Check the messages that came during the model call of a plan that was stored now.

        It runs in a job of its own, so that a send claimed with the plan is handed over without waiting.
        """
        if self._model is not None:
            self._spawn(self._look_back(chat_id, covers_up_to), name="watch context")

    async def _look_back(self, chat_id: ChatId, covers_up_to: MessageId) -> None:
        def came(tx: Transaction) -> list[MessageId]:
            info = tx.chats.get(chat_id).info
            newer = tx.messages.incoming_above(info.account_id, info.peer_id, above_id=covers_up_to, limit=LATER)
            return [message.key.message_id for message in newer]

        ids = await self._unit.read(came)
        if ids:
            self.newer_came(chat_id, ids)

    async def _work_off(self) -> None:
        try:
            await self._keeper.keep(
                self._work,
                key="context watch",
                what=Note(FaultReason.CONTEXT_WATCH_STOPPED),
                meanwhile=FaultReason.DRAFTS_UNCHECKED,
            )
        finally:
            self._working = False

    async def _work(self) -> None:
        while self._pending:
            chat_id = next(iter(self._pending))
            ids = self._pending.pop(chat_id)
            try:
                await self._look(chat_id, frozenset(ids))
            except Exception:
                self._pending.setdefault(chat_id, set()).update(ids)  # moved to the end of the queue
                raise

    async def _look(self, chat_id: ChatId, ids: frozenset[MessageId]) -> None:
        cases = await self._unit.read(lambda tx: _cases(tx, chat_id, ids))
        if not cases:
            return
        taken = await asyncio.to_thread(self._taken, cases)
        if taken:
            await self._unit.apply(
                lambda tx: context_took(tx, tx.chats.get(chat_id), taken), durability=Durability.NORMAL
            )

    def _taken(self, cases: list[_Case]) -> dict[GraphId, int]:
        """Count the newer messages that each plan would include now; runs in a worker thread."""
        found: dict[GraphId, int] = {}
        for case in cases:
            rows = rows_of(case.messages, case.me)
            wanted: set[int] = set()
            for target in rows_of(case.targets, case.me):
                wanted.update(one.message_id for one in would_take(rows, target, self._model) if one.included)
            count = sum(1 for number in case.newer if int(number) in wanted)
            if count:
                found[case.graph_id] = count
        return found


def _cases(tx: Transaction, chat_id: ChatId, ids: frozenset[MessageId]) -> list[_Case]:
    chat = tx.chats.get(chat_id)
    plans = plans_with_drafts(tx, chat) if chat.info.kind is ChatKind.GROUP else []
    if not plans:
        return []
    account, peer = chat.info.account_id, chat.info.peer_id
    messages, me = tx.messages.before(account, peer, before_id=None, limit=LATER), self_identity(tx, chat)
    cases = []
    for graph in plans:
        looked_at = _looked_at(graph)
        newer = [
            message
            for message in messages
            if message.key.message_id in ids - looked_at
            and not message.deleted
            and not concerns(tx, chat, graph, message)
        ]
        found = (tx.messages.get(MessageKey(account, peer, number)) for number in graph.trigger_ids)
        targets = tuple(message for message in found if message is not None)[-1:]
        if newer and targets and graph.span.chosen is not None:
            newer_ids = frozenset(message.key.message_id for message in newer)
            cases.append(_Case(graph.graph_id, targets, messages, newer_ids, me))
    return cases


def _looked_at(graph: GraphRow) -> frozenset[MessageId]:
    """Return the messages that the plan's own choice considered: in the prompt, or left out on purpose."""
    return frozenset((*(one.message_id for one in graph.span.choices), *graph.trigger_ids))
