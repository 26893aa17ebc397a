"""A small Telegram: the gateway of one account, with answers that a test sets beforehand."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from pathlib import Path
from typing import TypeVar

from chimein_gui.domain.accounts.group_moves import NO_GROUPS, KnownGroups
from chimein_gui.domain.agents import Agent
from chimein_gui.domain.chats import ChatInfo, ChatKind
from chimein_gui.domain.errors import NotConnectedError, OutcomeUnknownError, SendRefusedError
from chimein_gui.domain.ids import AccountId, MessageId, PeerId, RandomId, UserId
from chimein_gui.domain.messages import Media, Message, MessageKey, TextEntity
from chimein_gui.domain.plans.outgoing_files import OutgoingFile
from chimein_gui.domain.plans.stickers import StickerRef, StickerSetNumber
from chimein_gui.engine.ports import (
    AccountIdentity,
    DialogInfo,
    FileRequest,
    FileWanted,
    GatewayListener,
    SendRequest,
    SentReceipt,
    StickerRequest,
    UploadedFile,
)
from tests.fakes.clock import VirtualClock
from tests.fakes.telegram_files import FakeFile, FakeFiles

T = TypeVar("T")

ACCOUNT = AccountId(7_000_000_001)
MARTA = PeerId(7_000_005_001)
HANG = "hang"
"""Script entry: the send (block, …) is executed, its answer never comes."""
LOSE = "lose"
"""Script entry: the send (block, …) is *not* executed, and no answer comes."""


@dataclass
class FakeTelegram:
    """The server's side: its messages, and its answers to sends and other changes.

    Attributes:
        script: The next answers, oldest first; requests without one are executed.
        actions: Every executed change other than a text, oldest first: its name and its arguments.
        stickers: The existing stickers, by set and name.
        random_ids: The delivered messages by `random_id`.
    """

    clock: VirtualClock = field(default_factory=VirtualClock)
    messages: list[Message] = field(default_factory=list)
    script: deque[Exception | str] = field(default_factory=deque)
    requests: list[SendRequest] = field(default_factory=list)
    sticker_requests: list[StickerRequest] = field(default_factory=list)
    file_requests: list[FileRequest] = field(default_factory=list)
    uploads: deque[Exception | asyncio.Event] = field(default_factory=deque)
    """What becomes of the next uploads: a failure, or the event they wait for half way; the others arrive."""
    uploading: asyncio.Event = field(default_factory=asyncio.Event)
    """An upload is half way."""
    actions: list[tuple[object, ...]] = field(default_factory=list)
    stickers: dict[tuple[str, str], StickerRef] = field(default_factory=dict)
    random_ids: dict[RandomId, MessageId] = field(default_factory=dict)
    files: FakeFiles = field(default_factory=FakeFiles)
    blocked: set[PeerId] = field(default_factory=set)
    muted: dict[PeerId, datetime] = field(default_factory=dict)
    frozen: bool = False
    """What it says when it is asked whether the account is frozen."""
    typing: list[PeerId] = field(default_factory=list)
    typed: asyncio.Event = field(default_factory=asyncio.Event)
    read: list[tuple[PeerId, MessageId]] = field(default_factory=list)
    connects: int = 0
    clock_ahead_s: float = 0.0
    """How far the machine's clock is ahead of the server's."""
    refuse_connect: Exception | None = None
    gateway: FakeGateway | None = None
    make: type[FakeGateway] | None = None
    """What the next connection is made of, if it is a special one."""
    dialogs_gate: asyncio.Event | None = None
    """When set, the list of dialogs waits for it."""

    def factory(self, agent: Agent) -> FakeGateway:
        self.gateway = (self.make or FakeGateway)(self)
        return self.gateway

    def delivered(self) -> list[str]:
        return [message.text for message in self.messages if message.out]

    def next_id(self) -> MessageId:
        return MessageId(len(self.messages) + 1)

    def store(self, text: str, *, out: bool, peer: PeerId = MARTA, reply_to: MessageId | None = None) -> Message:
        message = Message(
            key=MessageKey(ACCOUNT, peer, self.next_id()),
            sender_id=UserId(ACCOUNT if out else peer),
            sender_name="Nora Vale" if out else "Marta Oliveira",
            out=out,
            sent_at=self.clock.now() - timedelta(seconds=self.clock_ahead_s),
            text=text,
            reply_to_id=reply_to,
        )
        self.messages.append(message)
        return message

    def put_sticker(self, set_name: str, name: str) -> StickerRef:
        """Add a sticker that can be found and sent."""
        sticker = StickerRef(set_name, name, 9_000 + len(self.stickers), name)
        self.stickers[set_name, name] = sticker
        return sticker

    def delete(self, gone: Callable[[Message], bool]) -> None:
        """Delete messages; their ids are not reused."""
        self.messages[:] = [replace(one, deleted=True) if gone(one) else one for one in self.messages]

    def partner_writes(self, text: str, peer: PeerId = MARTA) -> Message:
        """Add a message of the partner, and report it to a connected client."""
        message = self.store(text, out=False, peer=peer)
        self.report(message)
        return message

    def partner_edits(self, message: Message, text: str) -> Message:
        """Edit a message of the partner, and report it to a connected client."""
        edited = replace(message, text=text, edited_at=self.clock.now())
        self.messages[self.messages.index(message)] = edited
        if self.gateway is not None and self.gateway.listener is not None:
            self.gateway.listener.message_edited(chat_info(message.key.peer_id), edited)
        return edited

    def operator_writes(self, text: str) -> Message:
        """Add a message that the operator wrote on another device, and report it to a connected client."""
        message = self.store(text, out=True)
        self.report(message)
        return message

    def is_heard(self) -> bool:
        """Return whether a client is connected."""
        return self.gateway is not None and self.gateway.listener is not None

    @property
    def listener(self) -> GatewayListener:
        """The listener of the connected client, which must exist."""
        assert self.gateway is not None
        assert self.gateway.listener is not None
        return self.gateway.listener

    def lose_connection(self) -> None:
        """End the current connection."""
        assert self.gateway is not None
        self.gateway._lost.set()

    def report(self, message: Message) -> None:
        """Report a message to a connected client."""
        if self.gateway is not None and self.gateway.listener is not None:
            self.gateway.listener.message_arrived(chat_info(message.key.peer_id), message)


def chat_info(peer: PeerId = MARTA) -> ChatInfo:
    return ChatInfo(ACCOUNT, peer, ChatKind.DM, "Marta Oliveira" if peer == MARTA else f"Partner {peer}")


class FakeGateway:
    """Implements `engine.ports.TelegramGateway`."""

    def __init__(self, server: FakeTelegram) -> None:
        self._server = server
        self._lost = asyncio.Event()
        self.listener: GatewayListener | None = None

    async def connect(self, listener: GatewayListener, groups: KnownGroups = NO_GROUPS) -> AccountIdentity:
        self._server.connects += 1
        if self._server.refuse_connect is not None:
            raise self._server.refuse_connect
        self.listener = listener
        return AccountIdentity(ACCOUNT, "Nora Vale", (), "+9996621001")

    async def wait_lost(self) -> None:
        await self._lost.wait()

    def is_up(self) -> bool:
        return self.listener is not None and not self._lost.is_set()

    def clock_ahead_s(self) -> float:
        return self._server.clock_ahead_s

    async def dialogs(self) -> tuple[DialogInfo, ...]:
        if self._server.dialogs_gate is not None:
            await self._server.dialogs_gate.wait()
        newest: dict[PeerId, MessageId] = {}
        for message in self._server.messages:
            newest[message.key.peer_id] = message.key.message_id
        return tuple(DialogInfo(chat_info(peer), top, MessageId(0), MessageId(0)) for peer, top in newest.items())

    async def history(
        self, peer_id: PeerId, *, limit: int, above_id: MessageId = MessageId(0), below_id: MessageId = MessageId(0)
    ) -> tuple[Message, ...]:
        rows = [
            message
            for message in self._server.messages
            if message.key.peer_id == peer_id
            and not message.deleted
            and message.key.message_id > above_id
            and (not below_id or message.key.message_id < below_id)
        ]
        return tuple(rows[-limit:])

    async def sticker_set(self, which: str | StickerSetNumber) -> tuple[StickerRef, ...]:
        return tuple(one for (of, _), one in self._server.stickers.items() if of == which)

    async def find_sticker(self, set_name: str, name: str) -> StickerRef | None:
        return self._server.stickers.get((set_name, name))

    async def find_file(self, wanted: FileWanted) -> FakeFile:
        return self._server.files.find(wanted)

    async def blocked(self) -> frozenset[PeerId]:
        return frozenset(self._server.blocked)

    async def is_blocked(self, peer_id: PeerId) -> bool:
        return peer_id in self._server.blocked

    async def muted_until(self, peer_id: PeerId) -> datetime | None:
        return self._server.muted.get(peer_id)

    async def is_frozen(self) -> bool:
        return self._server.frozen

    async def send_text(self, request: SendRequest) -> SentReceipt:
        server = self._server
        self._note(server.requests, request)
        return await self._answer(
            lambda: self._deliver(
                request.random_id,
                lambda: server.store(request.text, out=True, peer=request.peer_id, reply_to=request.reply_to_id),
            )
        )

    async def send_sticker(self, request: StickerRequest) -> SentReceipt:
        self._note(self._server.sticker_requests, request)

        def store() -> Message:
            server = self._server
            server.actions.append(("send_sticker", request.peer_id, request.sticker))
            message = server.store("", out=True, peer=request.peer_id, reply_to=request.reply_to_id)
            sticker = replace(message, media_kind="sticker", document_id=request.sticker.document_id)
            server.messages[-1] = sticker
            return sticker

        return await self._answer(lambda: self._deliver(request.random_id, store))

    async def upload(self, path: Path, file: OutgoingFile, on_progress: Callable[[int], None]) -> UploadedFile:
        if not self.is_up():
            raise NotConnectedError("not connected")
        on_progress(file.size // 2)
        self._server.uploading.set()
        status_words = self._server.uploads.popleft() if self._server.uploads else None
        if isinstance(status_words, Exception):
            raise status_words
        if status_words is not None:
            await status_words.wait()
        if not self.is_up():
            raise NotConnectedError("The connection was lost.")
        content = _content(path)
        on_progress(len(content))
        return UploadedFile(content)

    async def send_file(self, request: FileRequest) -> SentReceipt:
        self._note(self._server.file_requests, request)

        def store() -> Message:
            server, file = self._server, request.file
            message = server.store(request.caption, out=True, peer=request.peer_id, reply_to=request.reply_to_id)
            media = Media(8_000 + len(server.file_requests), file.mime_type, file.size, file_name=file.file_name)
            server.messages[-1] = replace(message, media_kind=file.media_kind, media=media)
            return server.messages[-1]

        return await self._answer(lambda: self._deliver(request.random_id, store))

    async def edit_text(
        self, peer_id: PeerId, message_id: MessageId, text: str, entities: tuple[TextEntity, ...] = ()
    ) -> None:
        def edit() -> None:
            key = MessageKey(ACCOUNT, peer_id, message_id)
            self._server.messages[:] = [
                replace(one, text=text, entities=entities, edited_at=self._server.clock.now())
                if one.key == key
                else one
                for one in self._server.messages
            ]

        await self._do("edit_text", edit, peer_id, message_id, text)

    async def delete_messages(self, peer_id: PeerId, ids: tuple[MessageId, ...], *, for_everyone: bool = True) -> None:
        def delete() -> None:
            self._server.delete(lambda one: one.key.peer_id == peer_id and one.key.message_id in ids)

        await self._do("delete_messages", delete, peer_id, ids, for_everyone)

    async def clear_conversation(self, peer_id: PeerId, up_to: MessageId) -> None:
        def clear() -> None:
            self._server.delete(lambda one: one.key.peer_id == peer_id and one.key.message_id <= up_to)

        await self._do("clear_conversation", clear, peer_id, up_to)

    async def block(self, peer_id: PeerId) -> None:
        await self._do("block", lambda: self._server.blocked.add(peer_id), peer_id)
        self._tell_block(peer_id, is_blocked=True)

    async def unblock(self, peer_id: PeerId) -> None:
        await self._do("unblock", lambda: self._server.blocked.discard(peer_id), peer_id)
        self._tell_block(peer_id, is_blocked=False)

    def _tell_block(self, peer_id: PeerId, *, is_blocked: bool) -> None:
        if self.listener is not None:
            self.listener.peer_blocked(ACCOUNT, peer_id, is_blocked=is_blocked)

    def _note(self, requests: list[T], request: T) -> None:
        if not self.is_up():
            raise NotConnectedError("not connected")
        requests.append(request)

    def _deliver(self, random_id: RandomId, store: Callable[[], Message]) -> SentReceipt:
        if random_id in self._server.random_ids:
            return SentReceipt(None, None)
        message = store()
        self._server.random_ids[random_id] = message.key.message_id
        return SentReceipt(message.key.message_id, message.sent_at)

    async def _do(self, method: str, action: Callable[[], None], *what: object) -> None:
        if not self.is_up():
            raise NotConnectedError("not connected")

        def execute() -> None:
            self._server.actions.append((method, *what))
            action()

        await self._answer(execute)

    async def _answer(self, execute: Callable[[], T]) -> T:
        """Answer by the script."""
        script = self._server.script
        answer = script.popleft() if script else None
        if isinstance(answer, Exception):
            raise answer
        if answer == LOSE:
            await self._never()
        result = execute()
        if answer == HANG:
            await self._never()
        return result

    async def _never(self) -> None:
        """Wait for an answer that never comes, until the connection ends."""
        await self._lost.wait()
        raise OutcomeUnknownError("The connection was lost before Telegram answered; it may have been sent.")

    async def mark_read(self, peer_id: PeerId, up_to: MessageId) -> None:
        self._server.read.append((peer_id, up_to))

    async def show_typing(self, peer_id: PeerId) -> None:
        self._server.typing.append(peer_id)
        self._server.typed.set()

    async def disconnect(self) -> None:
        self.listener = None
        self._lost.set()


class Unreachable(FakeGateway):
    """Its chats can't be read, because the connection is lost."""

    async def history(self, *_args: object, **_kwargs: object) -> tuple[Message, ...]:
        raise NotConnectedError("gone")


class Unaddressable(FakeGateway):
    """Its chats can't be read, because Telegram does not let the account address them."""

    async def history(self, *_args: object, **_kwargs: object) -> tuple[Message, ...]:
        raise SendRefusedError("Telegram doesn't allow this account to write in that chat.", "PEER_ID_INVALID")


def _content(path: Path) -> bytes:
    """Read a small file at once, without a thread."""
    return path.read_bytes()
