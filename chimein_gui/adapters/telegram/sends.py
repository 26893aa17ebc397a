"""The gateway's sends: texts, stickers, files."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import replace
from pathlib import Path

from chimein_gui.adapters.telegram.connection import AccountConnection
from chimein_gui.adapters.telegram.mapping import requests
from chimein_gui.adapters.telegram.mapping.receipts import receipt_of
from chimein_gui.adapters.telegram.transport.tl import TLObject
from chimein_gui.adapters.telegram.uploads import upload
from chimein_gui.domain.accounts.group_moves import is_basic_group
from chimein_gui.domain.errors import GatewayError, SendRefusedError
from chimein_gui.domain.ids import MessageId, PeerId, RandomId
from chimein_gui.domain.plans.outgoing_files import OutgoingFile
from chimein_gui.engine.ports import FileRequest, SendRequest, SentReceipt, StickerRequest, UploadedFile

_STALE_REFERENCE = "FILE_REFERENCE_"


class MessageSender:
    """The sends of a gateway over its connection. The port documents what each raises."""

    def __init__(self, connection: AccountConnection) -> None:
        self._connection = connection

    async def send_text(self, request: SendRequest) -> SentReceipt:
        return await self._following(request.peer_id, lambda: self._send_text(request))

    async def _send_text(self, request: SendRequest) -> SentReceipt:
        place, peer, target = await self._way("send_text", request.peer_id, request.reply_to_id)
        answer = await self._connection.execute("send_text", requests.send_text(peer, request, target))
        return self._receipt(answer, place, request.random_id)

    async def send_sticker(self, request: StickerRequest) -> SentReceipt:
        """Send one sticker; if its file reference has expired, fetch a new one and repeat with the same random_id."""
        return await self._following(request.peer_id, lambda: self._send_sticker(request))

    async def _send_sticker(self, request: StickerRequest) -> SentReceipt:
        try:
            return await self._send_document(request, fresh=False)
        except SendRefusedError as error:
            if not error.code.startswith(_STALE_REFERENCE):
                raise
        return await self._send_document(request, fresh=True)

    async def _send_document(self, request: StickerRequest, *, fresh: bool) -> SentReceipt:
        connection = self._connection
        place, peer, target = await self._way("send_sticker", request.peer_id, request.reply_to_id)
        look_up = connection.stickers.document(connection.questions("send_sticker").ask, request.sticker, fresh=fresh)
        document = await connection.answer("send_sticker", look_up)
        if document is None:
            raise SendRefusedError("Telegram no longer has this sticker.", "STICKER_ID_INVALID")
        answer = await connection.execute("send_sticker", requests.send_document(peer, document, request, target))
        return self._receipt(answer, place, request.random_id)

    async def upload(self, path: Path, file: OutgoingFile, on_progress: Callable[[int], None]) -> UploadedFile:
        going = upload(self._connection.questions().ask, path, file.size, file.file_name, on_progress)
        return UploadedFile(await self._connection.answer("upload", going))

    async def send_file(self, request: FileRequest) -> SentReceipt:
        return await self._following(request.peer_id, lambda: self._send_file(request))

    async def _send_file(self, request: FileRequest) -> SentReceipt:
        place, peer, target = await self._way("send_file", request.peer_id, request.reply_to_id)
        answer = await self._connection.execute("send_file", requests.send_file(peer, request, target))
        return self._receipt(answer, place, request.random_id)

    async def _following(self, chat_peer_id: PeerId, send: Callable[[], Awaitable[SentReceipt]]) -> SentReceipt:
        """Send; if Telegram refuses because the group has just become a supergroup, send there.

        A refusal means that nothing was done, so the same `random_id` may be used again.
        """
        place = self._connection.moves.peer_of(chat_peer_id)
        try:
            return await send()
        except SendRefusedError:
            if not is_basic_group(place) or not await self._has_moved(place):
                raise
        return await send()

    async def _has_moved(self, group_id: PeerId) -> bool:
        connection = self._connection
        if connection.moves.peer_of(group_id) == group_id:
            try:
                await connection.answer("send_text", connection.questions().ask(requests.about_groups([group_id])))
            except GatewayError:
                return False
        return connection.moves.peer_of(group_id) != group_id

    async def _way(
        self, method: str, chat_peer_id: PeerId, reply_to_id: MessageId | None
    ) -> tuple[PeerId, TLObject, TLObject | None]:
        """Return the raw peer that receives a message, its InputPeer, and the reply target.

        A message of the basic group can still be answered in the supergroup, by naming its peer.
        """
        connection = self._connection
        place = connection.moves.peer_of(chat_peer_id)
        peer = await connection.address(method, connection.questions(method), place)
        if reply_to_id is None:
            return place, peer, None
        answered, raw_id = connection.moves.place_of(chat_peer_id, reply_to_id)
        elsewhere = (
            None if answered == place else await connection.address(method, connection.questions(method), answered)
        )
        return place, peer, requests.reply_to(raw_id, elsewhere)

    def _receipt(self, answer: TLObject | None, place: PeerId, random_id: RandomId) -> SentReceipt:
        receipt = receipt_of(answer, random_id)
        if receipt.message_id is None:
            return receipt
        message_id = self._connection.moves.raised(place, receipt.message_id)
        return receipt if message_id == receipt.message_id else replace(receipt, message_id=message_id)
