"""Writes partners' orders to the files about them, each once: the key, the message, stands in the entry.

Functions that take a transaction run on the writer thread or on the reader thread.
"""

from __future__ import annotations

import logging
from functools import partial
from typing import TYPE_CHECKING

from chimein_gui.domain.errors import NotFoundError, RefusedError, StoreError, note_of
from chimein_gui.domain.events import Remembered
from chimein_gui.domain.failpoints import Failpoint
from chimein_gui.domain.memory.entries import MemoryFile, MemoryKind
from chimein_gui.domain.memory.files import BY_PARTNER
from chimein_gui.domain.memory.orders.given import OrderState
from chimein_gui.engine.memory.duplicates import said_already
from chimein_gui.engine.ports import Durability

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from chimein_gui.domain.agents import AgentSpec
    from chimein_gui.domain.chats import ChatInfo
    from chimein_gui.domain.events import EngineEvent
    from chimein_gui.domain.failpoints import Reach
    from chimein_gui.domain.ids import AgentId, ChatId, MessageId
    from chimein_gui.domain.memory.orders.given import GivenOrder
    from chimein_gui.domain.notes import Note
    from chimein_gui.engine.core.commits import UnitOfWork
    from chimein_gui.engine.memory.duplicates import Alike
    from chimein_gui.engine.ports import MemoryFiles, Transaction

_log = logging.getLogger(__name__)


class OrderWriter:
    """Writes and removes what partners ordered; the caller lets only one of its methods run at a time."""

    def __init__(
        self,
        unit: UnitOfWork,
        files: MemoryFiles,
        spec_of: Callable[[AgentId], AgentSpec],
        on_changed: Callable[[MemoryFile], object],
        reach: Reach,
        alike: Alike,
        see: Callable[[MemoryFile], Awaitable[None]],
    ) -> None:
        """Create the service; `see` looks at a file before it is written, the others are those of `MemoryWriter`."""
        self._unit, self._files, self._spec_of, self._on_changed = unit, files, spec_of, on_changed
        self._reach, self._alike, self._see = reach, alike, see

    async def write_all(self) -> Note | None:
        """Write all prepared orders; returns why one could not be written, or None."""
        problem: Note | None = None
        for order in await self._unit.read(lambda tx: tx.memory_orders.to_write()):
            problem = await self._write(order) or problem
        return problem

    async def undo(self, chat_id: ChatId, message_id: MessageId) -> bool:
        """Remove what a message ordered; False if the operator has already removed or changed it there.

        Raises:
            NotFoundError: The message gave no order.
            OSError: The file could not be written; nothing has changed.
        """
        order = await self._unit.read(lambda tx: tx.memory_orders.get(chat_id, message_id))
        if order is None or not order.text:
            raise NotFoundError(f"message {message_id} gave no order")
        if order.state in (OrderState.WRITTEN, OrderState.PREPARED):
            info = await self._unit.read(lambda tx: tx.chats.get(chat_id).info)
            name = self._spec_of(order.agent_id).name
            is_removed = await self._files.remove(name, key=_key(info, order), partner=order.person)
            if not is_removed and order.state is OrderState.WRITTEN:
                return False
            self._on_changed(MemoryFile(MemoryKind.ABOUT_PARTNER, name, order.person))
        await self._move(order, OrderState.UNDONE)
        return True

    async def _write(self, order: GivenOrder) -> Note | None:
        """Write one order and record that, unless an entry says the same; a failed one does not block others."""
        self._reach(Failpoint.MEMORY_COMMITTED)
        try:
            name = self._spec_of(order.agent_id).name
            info = await self._unit.read(lambda tx: tx.chats.get(order.chat_id).info)
            key = _key(info, order)
            file = MemoryFile(MemoryKind.ABOUT_PARTNER, name, order.person)
            await self._see(file)
            known = await said_already(self._files, file, order.text, key, self._alike)
            if known is not None:
                await self._move(order, OrderState.KNOWN, known.text)
                return None
            await self._files.append(
                name,
                order.text,
                at=order.created_at,
                provenance=_provenance(info, order),
                key=key,
                partner=order.person,
            )
            self._on_changed(file)
            await self._move(order, OrderState.WRITTEN)
            self._reach(Failpoint.MEMORY_RECORDED)
        except (OSError, RefusedError, NotFoundError, StoreError) as error:
            _log.info("An order to agent %s could not be written: %s", order.agent_id, error)
            return note_of(error)
        return None

    async def _move(self, order: GivenOrder, state: OrderState, known: str = "") -> None:
        work = partial(_moved, order=order, state=state, known=known)
        await self._unit.apply(work, durability=Durability.NORMAL, wakes=False)


def _moved(tx: Transaction, *, order: GivenOrder, state: OrderState, known: str) -> list[EngineEvent]:
    tx.memory_orders.set_state(order.chat_id, order.message_id, state, known)
    return [
        Remembered(
            order.agent_id,
            order.chat_id,
            None,
            0,
            order.text,
            undone=state is OrderState.UNDONE,
            revision=tx.revision,
            message_id=order.message_id,
        )
    ]


def _key(info: ChatInfo, order: GivenOrder) -> str:
    """Return the permanent key of an order: its message, as Telegram knows it."""
    return f"order {int(info.account_id)}.{int(info.peer_id)}.{int(order.message_id)}"


def _provenance(info: ChatInfo, order: GivenOrder) -> str:
    chat = f"chat {info.peer_id} ({info.title}), message {order.message_id}, partner {order.person}"
    return f"{chat}, source: {BY_PARTNER}"
