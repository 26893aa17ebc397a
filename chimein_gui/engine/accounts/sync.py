"""Catches up after every connect with what happened in the meantime (docs/behaviour.md, "Catching up").

Telethon's difference may be too long or incomplete, so the newest ids of Telegram's list are compared with ours.

Functions that take a transaction run on the writer thread.
"""

from __future__ import annotations

import logging
from dataclasses import replace
from typing import TYPE_CHECKING

from chimein_gui.domain.chats import ChatKind
from chimein_gui.domain.errors import SendRefusedError
from chimein_gui.domain.events import ChatChanged, EngineEvent, MessageStored
from chimein_gui.domain.ids import MessageId
from chimein_gui.domain.notes import Note, NoteKind
from chimein_gui.domain.tasks import TaskStatus
from chimein_gui.engine.planning.backfill import BACKFILL
from chimein_gui.engine.ports import Durability
from chimein_gui.engine.tasks.transitions import move_task

if TYPE_CHECKING:
    from collections.abc import Mapping

    from chimein_gui.domain.accounts.group_moves import KnownGroups
    from chimein_gui.domain.ids import AccountId, AgentId, PeerId
    from chimein_gui.domain.messages import Message
    from chimein_gui.engine.core.commits import UnitOfWork
    from chimein_gui.engine.ingest.ingest import Ingest
    from chimein_gui.engine.ports import DialogInfo, GatewayListener, TelegramGateway, Transaction

_log = logging.getLogger(__name__)


BACKFILLED_CHATS = 20
"""Chats whose history is fetched at once; the others get theirs when a message comes."""

COMPARED = 100
"""Messages per chat that are compared after updates were lost."""


class Sync:
    """Brings an account's chats up to date."""

    def __init__(self, unit: UnitOfWork, ingest: Ingest) -> None:
        self._unit = unit
        self._ingest = ingest

    async def newest_stored(self, account_id: AccountId | None) -> Mapping[PeerId, MessageId]:
        """Return the newest known id of each chat of the account: stored, or counted as answered."""
        if account_id is None:
            return {}
        return await self._unit.read(lambda tx: tx.chats.known_up_to(account_id))

    async def known_groups(self) -> KnownGroups:
        """Return the known moves to supergroups, whether they are stored already or not."""
        stored = await self._unit.read(lambda tx: tx.accounts.groups())
        return replace(stored, moves=tuple({*stored.moves, *self._ingest.moves}))

    async def run(
        self,
        agent_id: AgentId,
        gateway: TelegramGateway,
        known: Mapping[PeerId, MessageId],
        *,
        first_log_in: bool,
    ) -> None:
        """Compare Telegram's chats with ours and fetch what is missing.

        At a first log-in every chat counts as answered up to its newest message, so that nothing old triggers. A chat
        that appears later counts as answered up to what was read, so a stranger who wrote meanwhile can trigger.

        Args:
            agent_id: The agent of the chats.
            gateway: Connected.
            known: Result of `newest_stored` before the connection was made.
            first_log_in: Whether this account was never here before.

        Raises:
            GatewayError: The connection failed; the next connect begins again.
        """
        new = 0
        for dialog in await gateway.dialogs():
            answered = dialog.newest_id if first_log_in else dialog.read_up_to
            stored_up_to = known.get(dialog.chat.peer_id)
            await self._note(agent_id, dialog, answered, first_log_in=first_log_in, is_new=stored_up_to is None)
            try:
                if stored_up_to is None:
                    new += 1
                    stored_up_to = answered
                    if new <= BACKFILLED_CHATS and answered:
                        await self._backfill(gateway, dialog, answered)
                if dialog.newest_id > stored_up_to:
                    await self._fill_gap(agent_id, gateway, dialog, stored_up_to)
            except SendRefusedError as error:
                # One chat that can't be read must not stop the account from catching up with the others.
                _log.warning("The history of chat %s cannot be read: %s", dialog.chat.peer_id, error.code)

    async def compare(self, agent_id: AgentId, gateway: TelegramGateway, known: Mapping[PeerId, MessageId]) -> None:
        """Find unreported changes: compare the newest messages of the newest chats with ours.

        Args:
            agent_id: The agent of the chats.
            gateway: Connected.
            known: Result of `newest_stored` before the connection was made; newer messages are reported anyway.

        Raises:
            GatewayError: The connection failed.
        """
        for dialog in (await gateway.dialogs())[:BACKFILLED_CHATS]:
            try:
                theirs = await gateway.history(dialog.chat.peer_id, limit=COMPARED)
            except SendRefusedError as error:
                _log.warning("The history of chat %s cannot be read: %s", dialog.chat.peer_id, error.code)
                continue
            ours = await self._ours(dialog, known.get(dialog.chat.peer_id, MessageId(0)))
            self._settle_differences(self._ingest.listener(agent_id), dialog, theirs, ours)

    async def _ours(self, dialog: DialogInfo, up_to: MessageId) -> tuple[Message, ...]:
        """Return our newest stored messages up to an id, oldest first."""
        account_id, peer_id, before = dialog.chat.account_id, dialog.chat.peer_id, MessageId(up_to + 1)
        return await self._unit.read(
            lambda tx: tx.messages.before(account_id, peer_id, before_id=before, limit=COMPARED)
        )

    @staticmethod
    def _settle_differences(
        listener: GatewayListener, dialog: DialogInfo, theirs: tuple[Message, ...], ours: tuple[Message, ...]
    ) -> None:
        """Report missing, edited and deleted messages.

        A missed message may be older than a stored one, such as our own answer; then there is no gap at the end.
        """
        begins_at = ours[0].key.message_id if ours else dialog.newest_id
        for message in theirs:
            if message.key.message_id > begins_at:
                listener.message_arrived(dialog.chat, message)
            listener.message_edited(dialog.chat, message)
        covered_from = theirs[0].key.message_id if len(theirs) >= COMPARED else 0
        there = {message.key.message_id for message in theirs}
        left = (message.key.message_id for message in ours if not message.deleted)
        gone = tuple(one for one in left if one >= covered_from and one not in there)
        if gone:
            listener.messages_deleted(dialog.chat.account_id, dialog.chat.peer_id, gone)

    async def _note(
        self, agent_id: AgentId, dialog: DialogInfo, answered: MessageId, *, first_log_in: bool, is_new: bool
    ) -> None:
        def note(tx: Transaction) -> list[EngineEvent]:
            if dialog.newest_id <= tx.people.forgotten_up_to(dialog.chat.account_id, dialog.chat.peer_id):
                return []
            chat, _ = tx.chats.ensure(agent_id, dialog.chat, planned_up_to=answered)
            if is_new or first_log_in:
                # The client may have reported messages before this, and so created the chat.
                tx.chats.set_planned_up_to(chat.chat_id, answered)
            if first_log_in:
                received = tx.tasks.open_received(chat.chat_id)
                if received is not None and received.status is not TaskStatus.RUNNING:
                    move_task(tx, received, TaskStatus.CANCELLED, reason=Note(NoteKind.BEFORE_LOG_IN))
            tx.chats.set_read_up_to(chat.chat_id, dialog.read_up_to)
            tx.chats.set_partner_read_up_to(chat.chat_id, dialog.partner_read_up_to)
            return [ChatChanged(tx.chats.get(chat.chat_id), tx.revision)]

        await self._unit.apply(note, durability=Durability.NORMAL, wakes=False)

    async def _backfill(self, gateway: TelegramGateway, dialog: DialogInfo, up_to: MessageId) -> None:
        messages = await gateway.history(dialog.chat.peer_id, limit=BACKFILL, below_id=MessageId(up_to + 1))

        def put(tx: Transaction) -> list[EngineEvent]:
            chat = tx.chats.find(dialog.chat.account_id, dialog.chat.peer_id)
            if chat is None:
                return []
            events: list[EngineEvent] = [
                MessageStored(chat.chat_id, message, tx.revision)
                for message in map(self._ingest.pending_edits.as_it_is_now, messages)
                if tx.messages.put(chat.chat_id, message)
            ]
            tx.chats.set_read_up_to(chat.chat_id, dialog.read_up_to)
            return [*events, ChatChanged(tx.chats.get(chat.chat_id), tx.revision)]

        await self._unit.apply(put, durability=Durability.NORMAL, wakes=False)

    async def _fill_gap(
        self, agent_id: AgentId, gateway: TelegramGateway, dialog: DialogInfo, stored_up_to: MessageId
    ) -> None:
        """Fetch messages newer than ours and report them like any others, so that they may trigger."""
        missed: tuple[Message, ...] = await gateway.history(dialog.chat.peer_id, limit=BACKFILL, above_id=stored_up_to)
        if dialog.chat.kind is ChatKind.DM:
            _log.info("%s messages came while this account was away", len(missed))
        listener = self._ingest.listener(agent_id)
        for message in missed:
            listener.message_arrived(dialog.chat, message)
