"""One Telegram account over one connection (port `TelegramGateway`): its methods."""

from __future__ import annotations

from contextlib import suppress
from datetime import datetime
from functools import partial

from chimein_gui.adapters.telegram.downloads import Download, FileLocation, find_in_message, place_of
from chimein_gui.adapters.telegram.mapping import requests
from chimein_gui.adapters.telegram.sends import Sends
from chimein_gui.adapters.telegram.transport.tl import TLObject
from chimein_gui.domain.errors import GatewayError, MediaTrouble, MediaUnavailableError, SendRefusedError
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


class TelethonGateway(Sends):
    """Client of one account for one connection. The port documents what each method raises."""

    # --- queries

    async def dialogs(self) -> tuple[DialogInfo, ...]:
        """List the newest conversations, at most 200."""
        return await self._asking("dialogs", self._up().dialogs(_MAX_DIALOGS))

    async def history(
        self,
        peer_id: PeerId,
        *,
        limit: int,
        above_id: MessageId = MessageId(0),
        below_id: MessageId = MessageId(0),
    ) -> tuple[Message, ...]:
        questions, found = self._up(), tuple[Message, ...]()
        for span in self._moves.spans(peer_id, above_id=above_id, below_id=below_id):
            if len(found) < limit:
                peer = await self._address("history", questions, span.peer_id)
                left = limit - len(found)
                page = questions.history(peer, limit=left, above_id=span.above_id, below_id=span.below_id)
                found = (*await self._asking("history", page), *found)
        return found

    async def find_sticker(self, set_name: str, name: str) -> StickerRef | None:
        """Look a sticker up by the short name of its set and its own name, or return None."""
        return await self._asking("find_sticker", self._stickers.find(self._up().ask, set_name, name))

    async def sticker_set(self, which: str | StickerSetNumber) -> tuple[StickerRef, ...]:
        return await self._asking("sticker_set", self._stickers.listed(self._up().ask, which))

    async def blocked(self) -> frozenset[PeerId]:
        return await self._asking("blocked", self._up().blocked())

    async def is_blocked(self, peer_id: PeerId) -> bool:
        """Tell whether this account has blocked a user."""
        return peer_id in await self.blocked()

    async def muted_until(self, peer_id: PeerId) -> datetime | None:
        """Return until when a chat is, or was, muted; None if it never was."""
        questions = self._up()
        peer = await self._address_now("muted_until", questions, peer_id)
        return await self._asking("muted_until", questions.muted_until(peer))

    async def find_file(self, wanted: FileWanted) -> FoundFile:
        """Look up a file, so that it can be fetched."""
        client, questions = self._client, self._up()
        place = await self._asking("find_file", self._place(wanted))
        assert client is not None
        return Download(
            client, questions.ask, place, lambda: self._place(wanted, fresh=True), partial(self._asking, "find_file")
        )

    async def _place(self, wanted: FileWanted, *, fresh: bool = False) -> FileLocation:
        ask = self._up().ask
        if wanted.sticker is not None:
            file = await self._stickers.file(ask, wanted.sticker, fresh=fresh)
        else:
            peer_id, message_id = self._moves.place_of(wanted.peer_id, wanted.message_id)
            peer = await self._address("find_file", self._up(), peer_id)
            file = await find_in_message(ask, peer, peer_id, message_id)
        if file is None or wanted.file_id not in {None, file.id}:
            raise MediaUnavailableError("This file is no longer there.", MediaTrouble.GONE)
        return place_of(file, thumbnail=wanted.thumbnail)

    # --- small signs

    async def mark_read(self, peer_id: PeerId, up_to: MessageId) -> None:
        questions = self._up()
        place, raw_id = self._moves.place_of(peer_id, up_to)
        peer = await self._address("mark_read", questions, place)
        await self._asking("mark_read", questions.ask(requests.mark_read(place, peer, raw_id)))
        if place != peer_id and peer_id not in self._read_groups:
            # All messages of the basic group are older, and once is enough, because nobody writes there any more.
            self._read_groups.add(peer_id)
            group = await self._address("mark_read", questions, peer_id)
            with suppress(GatewayError):
                await self._asking("mark_read", questions.ask(requests.mark_read(peer_id, group, _ALL)))

    async def show_typing(self, peer_id: PeerId) -> None:
        questions = self._up()
        peer = await self._address_now("show_typing", questions, peer_id)
        await self._asking("show_typing", questions.ask(requests.show_typing(peer)))

    # --- changes

    async def edit_text(
        self, peer_id: PeerId, message_id: MessageId, text: str, entities: tuple[TextEntity, ...] = ()
    ) -> None:
        place, raw_id = self._moves.place_of(peer_id, message_id)
        peer = await self._address("edit_text", self._up("edit_text"), place)
        try:
            await self._do("edit_text", requests.edit_text(peer, raw_id, text, entities))
        except SendRefusedError as error:
            if error.code != _UNCHANGED:
                raise

    async def delete_messages(self, peer_id: PeerId, ids: tuple[MessageId, ...], *, for_everyone: bool = True) -> None:
        for place, raw_ids in self._moves.by_place(peer_id, ids).items():
            peer = await self._address("delete_messages", self._up("delete_messages"), place)
            for start in range(0, len(raw_ids), _DELETED_AT_ONCE):
                part = raw_ids[start : start + _DELETED_AT_ONCE]
                request = requests.delete_messages(place, peer, part, for_everyone=for_everyone)
                await self._do("delete_messages", request)

    async def clear_conversation(self, peer_id: PeerId, up_to: MessageId) -> None:
        peer = await self._partner("clear_conversation", peer_id)
        while (answer := await self._do("clear_conversation", requests.clear_conversation(peer, up_to))) is not None:
            if not answer.offset:  # Telegram deletes long chats in several goes
                break

    async def block(self, peer_id: PeerId) -> None:
        await self._do("block", requests.block(await self._partner("block", peer_id)))
        self._tell_block(peer_id, is_blocked=True)

    async def unblock(self, peer_id: PeerId) -> None:
        await self._do("unblock", requests.unblock(await self._partner("unblock", peer_id)))
        self._tell_block(peer_id, is_blocked=False)

    async def _partner(self, method: str, peer_id: PeerId) -> TLObject:
        """Return the InputPeer of a DM; groups are refused."""
        if peer_id <= 0:
            raise SendRefusedError("This can be done in a chat with one person only.", "ONE_PERSON_ONLY")
        return await self._address(method, self._up(method), peer_id)
