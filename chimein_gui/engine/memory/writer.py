"""Writes the memories of accepted replies, and partners' orders, to the agents' files.

See docs/behaviour.md, "Memory".

Functions that take a transaction run on the writer thread or on the reader thread.
"""

from __future__ import annotations

import asyncio
import logging
from functools import partial
from typing import TYPE_CHECKING

from chimein_gui.domain.chats import ChatKind
from chimein_gui.domain.errors import NotFoundError, RefusedError, StoreError, note_of
from chimein_gui.domain.events import Remembered
from chimein_gui.domain.failpoints import Failpoint, Reach, pass_by
from chimein_gui.domain.ids import MessageId, PeerId
from chimein_gui.domain.memory.entries import MemoryFile, MemoryKind
from chimein_gui.domain.messages import MessageKey
from chimein_gui.domain.notes import Note
from chimein_gui.domain.notes.faults import FaultReason
from chimein_gui.engine.core.event_bus import FaultLine
from chimein_gui.engine.memory.duplicates import by_words_alone, said_already
from chimein_gui.engine.memory.order_writer import OrderWriter
from chimein_gui.engine.ports import Durability, MemoryState

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from chimein_gui.domain.agents import AgentSpec
    from chimein_gui.domain.chats import Chat
    from chimein_gui.domain.events import EngineEvent
    from chimein_gui.domain.ids import AgentId, ChatId, GraphId
    from chimein_gui.engine.core.commits import UnitOfWork
    from chimein_gui.engine.core.event_bus import EventBus
    from chimein_gui.engine.memory.duplicates import Alike
    from chimein_gui.engine.memory.outside import OutsideChanges
    from chimein_gui.engine.ports import MemoryEffect, MemoryFiles, Spawn, Transaction

_log = logging.getLogger(__name__)

PER_PARTNER = "per-partner"
"""Memory scope of agents that keep a file for each partner."""


class MemoryWriter:
    """Writes prepared memories, each once: the key (plan, index) is in the file, so a crash writes none twice.

    Attributes:
        alike: Finds entries that mean the same as a text.
        outside: Notes what another program did to a file before it is written; None notes nothing.
    """

    def __init__(
        self,
        unit: UnitOfWork,
        bus: EventBus,
        spawn: Spawn,
        files: MemoryFiles,
        spec_of: Callable[[AgentId], AgentSpec],
        on_changed: Callable[[MemoryFile], object] = lambda _file: None,
        reach: Reach = pass_by,
    ) -> None:
        """Create the service.

        Args:
            unit: The database.
            bus: Hears of memories that can't be written.
            spawn: Runs the writing.
            files: The memory files.
            spec_of: Returns an agent's file as it is now.
            on_changed: Called with each file that was written.
            reach: Called at the points of a memory.
        """
        self._unit = unit
        self._bus = bus
        self._spawn = spawn
        self._files = files
        self._spec_of, self._on_changed, self._reach = spec_of, on_changed, reach
        self.alike: Alike = by_words_alone
        self.outside: OutsideChanges | None = None
        self._orders = OrderWriter(unit, files, spec_of, on_changed, reach, self._alike_now, self._see)
        self._lock = asyncio.Lock()
        self._queued = False
        self._fault = FaultLine(bus, "memory", FaultReason.MEMORY_IS_KEPT)

    async def _alike_now(self, files: Sequence[MemoryFile], text: str) -> Mapping[str, float]:
        return await self.alike(files, text)

    async def _see(self, file: MemoryFile) -> None:
        if self.outside is not None:
            await self.outside.see(file, is_written=True)

    def write_soon(self) -> None:
        """Write the prepared memories in a job of their own; called after a plan was stored and at the start."""
        if not self._queued:
            self._queued = True
            self._spawn(self._write(), name="memories")

    def paused(self) -> asyncio.Lock:
        """Return a lock that stops the writing of memories while their directory is moved."""
        return self._lock

    async def write_now(self) -> None:
        """Write what is prepared, and return once it is written or can't be."""
        await self._write()

    async def undo_order(self, chat_id: ChatId, message_id: MessageId) -> bool:
        """Remove what a partner ordered; False if the operator has already removed or changed it there.

        Raises:
            NotFoundError: The message gave no order.
            OSError: The file could not be written; nothing has changed.
        """
        async with self._lock:
            return await self._orders.undo(chat_id, message_id)

    async def undo(self, graph_id: GraphId, index: int) -> bool:
        """Remove a memory from its file; False if the operator has already removed or changed it there.

        Raises:
            NotFoundError: There is no such memory.
            OSError: The file could not be written; nothing has changed.
        """
        async with self._lock:
            effect, _chat, partner = await self._unit.read(lambda tx: _read(tx, graph_id, index))
            if effect.state in (MemoryState.WRITTEN, MemoryState.PREPARED):
                name = self._spec_of(effect.agent_id).name
                # The scope may be another since it was written, so both files are looked at. A crash may have come
                # between the file and the database.
                for whose in (None, partner):
                    if await self._files.remove(name, key=_key(effect), partner=whose):
                        kind = MemoryKind.REMEMBERED if whose is None else MemoryKind.ABOUT_PARTNER
                        self._on_changed(MemoryFile(kind, name, whose))
                        break
                else:
                    if effect.state is MemoryState.WRITTEN:
                        return False
            await self._move(effect, MemoryState.UNDONE)
        return True

    async def _write(self) -> None:
        async with self._lock:
            self._queued = False
            problem: Note | None = None
            for effect in await self._unit.read(lambda tx: tx.effects.memories_to_write()):
                problem = await self._write_one(effect) or problem
            problem = await self._orders.write_all() or problem
        if problem is not None:
            self._fault.show(Note(FaultReason.MEMORY_UNWRITTEN, cause=problem))
        else:
            self._fault.clear()

    async def _write_one(self, effect: MemoryEffect) -> Note | None:
        """Write one memory and record that; a failed one is reported and does not block others."""
        self._reach(Failpoint.MEMORY_COMMITTED)
        try:
            spec = self._spec_of(effect.agent_id)
            _, chat, partner = await self._unit.read(lambda tx: _read(tx, effect.graph_id, effect.index))
            whose = partner if spec.memory_scope == PER_PARTNER else None
            kind = MemoryKind.REMEMBERED if whose is None else MemoryKind.ABOUT_PARTNER
            key = _key(effect)
            file = MemoryFile(kind, spec.name, whose)
            await self._see(file)
            if await said_already(self._files, file, effect.text, key, self.alike) is not None:
                await self._move(effect, MemoryState.KNOWN)
                return None
            provenance = _provenance(chat, partner)
            await self._files.append(
                spec.name, effect.text, at=effect.created_at, provenance=provenance, key=key, partner=whose
            )
            self._on_changed(file)
            await self._move(effect, MemoryState.WRITTEN)
            self._reach(Failpoint.MEMORY_RECORDED)
        except (OSError, RefusedError, NotFoundError, StoreError) as error:
            _log.info("A memory of agent %s could not be written: %s", effect.agent_id, error)
            return note_of(error)
        return None

    async def _move(self, effect: MemoryEffect, state: MemoryState) -> None:
        await self._unit.apply(partial(_moved, effect=effect, state=state), durability=Durability.NORMAL, wakes=False)


def _moved(tx: Transaction, *, effect: MemoryEffect, state: MemoryState) -> list[EngineEvent]:
    tx.effects.set_memory(effect.graph_id, effect.index, state)
    return [
        Remembered(
            effect.agent_id,
            effect.chat_id,
            effect.graph_id,
            effect.index,
            effect.text,
            undone=state is MemoryState.UNDONE,
            revision=tx.revision,
        )
    ]


def _read(tx: Transaction, graph_id: GraphId, index: int) -> tuple[MemoryEffect, Chat, PeerId]:
    """Return a memory, its chat, and the partner it is about; in a group that is the author of the target."""
    effect = tx.effects.memory(graph_id, index)
    if effect is None:
        raise NotFoundError(f"plan {graph_id} has no memory {index}")
    chat = tx.chats.get(effect.chat_id)
    partner = chat.info.peer_id
    trigger_ids = tx.graphs.get(graph_id).trigger_ids
    if chat.info.kind is not ChatKind.DM and trigger_ids:
        target = tx.messages.get(MessageKey(chat.info.account_id, chat.info.peer_id, MessageId(trigger_ids[-1])))
        if target is not None and target.sender_id is not None:
            partner = PeerId(int(target.sender_id))
    return effect, chat, partner


def _key(effect: MemoryEffect) -> str:
    """Return the permanent key of a memory: plan, index and time, because a new database counts plans anew."""
    return f"{effect.graph_id}.{effect.index}@{effect.created_at:%Y%m%dT%H%M%S.%f}"


def _provenance(chat: Chat, partner: PeerId) -> str:
    return f"chat {chat.info.peer_id} ({chat.info.title}), partner {partner}, source: the agent's reply"
