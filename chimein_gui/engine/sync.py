"""After every connect: what happened while this account was away (SPEC §3.1, Backfill).

Telethon's difference may be too long or incomplete, so the newest ids of Telegram's list are compared with ours.
"""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING

from chimein_gui.domain.chats import ChatKind
from chimein_gui.domain.events import ChatChanged, EngineEvent, MessageStored
from chimein_gui.domain.ids import MessageId

if TYPE_CHECKING:
    from chimein_gui.domain.ids import AgentId
    from chimein_gui.domain.messages import Message
    from chimein_gui.engine.event_bus import EventBus
    from chimein_gui.engine.ingest import Ingest
    from chimein_gui.engine.ports import DialogInfo, Store, TelegramGateway, Transaction

_log = logging.getLogger(__name__)

BACKFILL = 500
"""Messages fetched for a chat that is new here."""

BACKFILLED_CHATS = 20
"""Chats whose history is fetched at once; the others get theirs when something happens in them."""


class Sync:
    """Brings an account's chats up to date."""

    def __init__(self, store: Store, bus: EventBus, ingest: Ingest) -> None:
        """Wire the services."""
        self._store = store
        self._bus = bus
        self._ingest = ingest

    async def run(self, agent_id: AgentId, gateway: TelegramGateway, *, first_log_in: bool) -> None:
        """Compare Telegram's chats with ours and fetch what is missing.

        At a first log-in every chat counts as answered up to its newest message, so that nothing old triggers. A chat
        that turns up later counts as answered up to what was read: a stranger who wrote while we were away is heard.

        Raises:
            GatewayError: The connection failed on the way; the next connect begins again.
        """
        new = 0
        for dialog in await gateway.dialogs():
            answered = dialog.newest_id if first_log_in else dialog.read_up_to
            is_new, stored_up_to = await self._note(agent_id, dialog, answered)
            if is_new:
                new += 1
                stored_up_to = answered
                if new <= BACKFILLED_CHATS and answered:
                    await self._backfill(gateway, dialog, answered)
            if dialog.newest_id > stored_up_to:
                await self._fill_gap(agent_id, gateway, dialog, stored_up_to)

    async def _note(self, agent_id: AgentId, dialog: DialogInfo, answered: MessageId) -> tuple[bool, MessageId]:
        def note(tx: Transaction) -> tuple[bool, MessageId, list[EngineEvent]]:
            chat, is_new = tx.chats.ensure(agent_id, dialog.chat, planned_up_to=answered)
            tx.chats.set_read_up_to(chat.chat_id, dialog.read_up_to)
            tx.chats.set_partner_read_up_to(chat.chat_id, dialog.partner_read_up_to)
            stored = tx.messages.newest_id(dialog.chat.account_id, dialog.chat.peer_id)
            return is_new, stored, [ChatChanged(tx.chats.get(chat.chat_id), tx.revision)]

        is_new, stored_up_to, events = await self._store.transact(note)
        self._bus.publish(*events)
        return is_new, stored_up_to

    async def _backfill(self, gateway: TelegramGateway, dialog: DialogInfo, up_to: MessageId) -> None:
        messages = await gateway.history(dialog.chat.peer_id, limit=BACKFILL, below_id=MessageId(up_to + 1))

        def put(tx: Transaction) -> list[EngineEvent]:
            chat = tx.chats.find(dialog.chat.account_id, dialog.chat.peer_id)
            if chat is None:
                return []
            events: list[EngineEvent] = [
                MessageStored(chat.chat_id, message, tx.revision)
                for message in messages
                if tx.messages.put(chat.chat_id, message)
            ]
            tx.chats.set_read_up_to(chat.chat_id, dialog.read_up_to)
            return [*events, ChatChanged(tx.chats.get(chat.chat_id), tx.revision)]

        self._bus.publish(*await self._store.transact(put))

    async def _fill_gap(
        self, agent_id: AgentId, gateway: TelegramGateway, dialog: DialogInfo, stored_up_to: MessageId
    ) -> None:
        """Messages above what we have are new: they go the ordinary way and may trigger."""
        missed: tuple[Message, ...] = await gateway.history(dialog.chat.peer_id, limit=BACKFILL, above_id=stored_up_to)
        if dialog.chat.kind is ChatKind.DM:
            _log.info("%s messages came while this account was away", len(missed))
        listener = self._ingest.listener(agent_id)
        for message in missed:
            listener.message_arrived(dialog.chat, message)
