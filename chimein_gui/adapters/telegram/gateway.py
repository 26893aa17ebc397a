"""One Telegram account over one connection (port `TelegramGateway`): its methods."""

from __future__ import annotations

from contextlib import suppress
from datetime import datetime
from functools import partial
from pathlib import Path

from chimein_gui.adapters.telegram.backend import TelegramBackend
from chimein_gui.adapters.telegram.connection import AccountConnection
from chimein_gui.adapters.telegram.downloads import Download, FileLocation, find_in_message, place_of
from chimein_gui.adapters.telegram.mapping import requests
from chimein_gui.adapters.telegram.sends import MessageSender
from chimein_gui.adapters.telegram.transport.tl import TLObject
from chimein_gui.domain.accounts.proxies import Proxy
from chimein_gui.domain.errors import GatewayError, MediaTrouble, MediaUnavailableError, SendRefusedError
from chimein_gui.domain.failpoints import Reach, pass_by
from chimein_gui.domain.ids import MessageId, PeerId
from chimein_gui.domain.messages import Message, TextEntity
from chimein_gui.domain.plans.stickers import StickerRef, StickerSetNumber
from chimein_gui.engine.ports import (
    DialogInfo,
    FileWanted,
    FoundFile,
)

_ALL = MessageId(0)
"""As the newest read message: all messages."""
_MAX_DIALOGS = 200
_DELETED_AT_ONCE = 100
"""Most messages that Telegram deletes in one request."""
_UNCHANGED = "MESSAGE_NOT_MODIFIED"


class TelethonGateway:
    """Client of one account for one connection. The port documents what each method raises.

    Its methods for connecting are those of `AccountConnection`, and its methods for sending those of `MessageSender`.

    Attributes:
        connection: What carries all queries and changes.
    """

    def __init__(
        self, *, session_path: Path, backend: TelegramBackend, reach: Reach = pass_by, proxy: Proxy | None = None
    ) -> None:
        """Create the gateway; nothing is opened yet.

        Args:
            session_path: The account's session file, ending in ``.session``.
            backend: Real Telegram or sandbox.
            reach: Called at the failpoints around the hand-over.
            proxy: The account's proxy; None for a direct connection.
        """
        self.connection = AccountConnection(session_path=session_path, backend=backend, reach=reach, proxy=proxy)
        self._read_groups = set[PeerId]()  # basic groups, left behind by a move, that this connection has marked read
        self.connect, self.disconnect = self.connection.connect, self.connection.disconnect
        self.wait_lost, self.is_up = self.connection.wait_lost, self.connection.is_up
        self.clock_ahead_s, self.is_frozen = self.connection.clock_ahead_s, self.connection.is_frozen
        sender = MessageSender(self.connection)
        self.send_text, self.send_sticker = sender.send_text, sender.send_sticker
        self.upload, self.send_file = sender.upload, sender.send_file

    # --- queries

    async def dialogs(self) -> tuple[DialogInfo, ...]:
        """List the newest conversations, at most 200."""
        return await self.connection.answer("dialogs", self.connection.questions().dialogs(_MAX_DIALOGS))

    async def history(
        self,
        peer_id: PeerId,
        *,
        limit: int,
        above_id: MessageId = MessageId(0),
        below_id: MessageId = MessageId(0),
    ) -> tuple[Message, ...]:
        connection = self.connection
        questions, found = connection.questions(), tuple[Message, ...]()
        for span in connection.moves.spans(peer_id, above_id=above_id, below_id=below_id):
            if len(found) < limit:
                peer = await connection.address("history", questions, span.peer_id)
                left = limit - len(found)
                page = questions.history(peer, limit=left, above_id=span.above_id, below_id=span.below_id)
                found = (*await connection.answer("history", page), *found)
        return found

    async def find_sticker(self, set_name: str, name: str) -> StickerRef | None:
        """Look a sticker up by the short name of its set and its own name, or return None."""
        connection = self.connection
        return await connection.answer(
            "find_sticker", connection.stickers.find(connection.questions().ask, set_name, name)
        )

    async def sticker_set(self, which: str | StickerSetNumber) -> tuple[StickerRef, ...]:
        connection = self.connection
        return await connection.answer("sticker_set", connection.stickers.listed(connection.questions().ask, which))

    async def blocked(self) -> frozenset[PeerId]:
        return await self.connection.answer("blocked", self.connection.questions().blocked())

    async def is_blocked(self, peer_id: PeerId) -> bool:
        """Tell whether this account has blocked a user."""
        return peer_id in await self.blocked()

    async def muted_until(self, peer_id: PeerId) -> datetime | None:
        """Return until when a chat is, or was, muted; None if it never was."""
        connection = self.connection
        questions = connection.questions()
        peer = await connection.address_now("muted_until", questions, peer_id)
        return await connection.answer("muted_until", questions.muted_until(peer))

    async def find_file(self, wanted: FileWanted) -> FoundFile:
        """Look up a file, so that it can be fetched."""
        connection = self.connection
        client, questions = connection.client, connection.questions()
        place = await connection.answer("find_file", self._place(wanted))
        assert client is not None
        return Download(
            client,
            questions.ask,
            place,
            lambda: self._place(wanted, fresh=True),
            partial(connection.answer, "find_file"),
        )

    async def _place(self, wanted: FileWanted, *, fresh: bool = False) -> FileLocation:
        connection = self.connection
        ask = connection.questions().ask
        if wanted.sticker is not None:
            file = await connection.stickers.file(ask, wanted.sticker, fresh=fresh)
        else:
            peer_id, message_id = connection.moves.place_of(wanted.peer_id, wanted.message_id)
            peer = await connection.address("find_file", connection.questions(), peer_id)
            file = await find_in_message(ask, peer, peer_id, message_id)
        if file is None or wanted.file_id not in {None, file.id}:
            raise MediaUnavailableError("This file is no longer there.", MediaTrouble.GONE)
        return place_of(file, thumbnail=wanted.thumbnail)

    # --- small signs

    async def mark_read(self, peer_id: PeerId, up_to: MessageId) -> None:
        connection = self.connection
        questions = connection.questions()
        place, raw_id = connection.moves.place_of(peer_id, up_to)
        peer = await connection.address("mark_read", questions, place)
        await connection.answer("mark_read", questions.ask(requests.mark_read(place, peer, raw_id)))
        if place != peer_id and peer_id not in self._read_groups:
            # All messages of the basic group are older, and once is enough, because nobody writes there any more.
            self._read_groups.add(peer_id)
            group = await connection.address("mark_read", questions, peer_id)
            with suppress(GatewayError):
                await connection.answer("mark_read", questions.ask(requests.mark_read(peer_id, group, _ALL)))

    async def show_typing(self, peer_id: PeerId) -> None:
        connection = self.connection
        questions = connection.questions()
        peer = await connection.address_now("show_typing", questions, peer_id)
        await connection.answer("show_typing", questions.ask(requests.show_typing(peer)))

    # --- changes

    async def edit_text(
        self, peer_id: PeerId, message_id: MessageId, text: str, entities: tuple[TextEntity, ...] = ()
    ) -> None:
        connection = self.connection
        place, raw_id = connection.moves.place_of(peer_id, message_id)
        peer = await connection.address("edit_text", connection.questions("edit_text"), place)
        try:
            await connection.execute("edit_text", requests.edit_text(peer, raw_id, text, entities))
        except SendRefusedError as error:
            if error.code != _UNCHANGED:
                raise

    async def delete_messages(self, peer_id: PeerId, ids: tuple[MessageId, ...], *, for_everyone: bool = True) -> None:
        connection = self.connection
        for place, raw_ids in connection.moves.by_place(peer_id, ids).items():
            peer = await connection.address("delete_messages", connection.questions("delete_messages"), place)
            for start in range(0, len(raw_ids), _DELETED_AT_ONCE):
                part = raw_ids[start : start + _DELETED_AT_ONCE]
                request = requests.delete_messages(place, peer, part, for_everyone=for_everyone)
                await connection.execute("delete_messages", request)

    async def clear_conversation(self, peer_id: PeerId, up_to: MessageId) -> None:
        peer = await self._partner("clear_conversation", peer_id)
        while (
            answer := await self.connection.execute("clear_conversation", requests.clear_conversation(peer, up_to))
        ) is not None:
            if not answer.offset:  # Telegram deletes long chats in several goes
                break

    async def block(self, peer_id: PeerId) -> None:
        await self.connection.execute("block", requests.block(await self._partner("block", peer_id)))
        self.connection.tell_block(peer_id, is_blocked=True)

    async def unblock(self, peer_id: PeerId) -> None:
        await self.connection.execute("unblock", requests.unblock(await self._partner("unblock", peer_id)))
        self.connection.tell_block(peer_id, is_blocked=False)

    async def _partner(self, method: str, peer_id: PeerId) -> TLObject:
        """Return the InputPeer of a DM; groups are refused."""
        if peer_id <= 0:
            raise SendRefusedError("This can be done in a chat with one person only.", "ONE_PERSON_ONLY")
        return await self.connection.address(method, self.connection.questions(method), peer_id)
