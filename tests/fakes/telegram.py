"""A small Telegram: one account's gateway whose answers a test writes down beforehand."""

from __future__ import annotations

import asyncio
from collections import deque
from dataclasses import dataclass, field, replace

from chimein_gui.domain.agents import Agent
from chimein_gui.domain.chats import ChatInfo, ChatKind
from chimein_gui.domain.errors import NotConnectedError
from chimein_gui.domain.ids import AccountId, MessageId, PeerId, UserId
from chimein_gui.domain.messages import Message, MessageKey
from chimein_gui.engine.ports import (
    AccountIdentity,
    Clock,
    DialogInfo,
    GatewayListener,
    SendRequest,
    SentReceipt,
)

ACCOUNT = AccountId(7_000_000_001)
MARTA = PeerId(7_000_005_001)
HANG = "hang"
"""Script entry: the send is executed, its answer never comes."""
LOSE = "lose"
"""Script entry: the send is *not* executed, and no answer comes."""


@dataclass
class FakeTelegram:
    """The server's side: what it holds, and what it will answer to sends."""

    clock: Clock
    messages: list[Message] = field(default_factory=list)
    script: deque[Exception | str] = field(default_factory=deque)
    requests: list[SendRequest] = field(default_factory=list)
    typing: list[PeerId] = field(default_factory=list)
    typed: asyncio.Event = field(default_factory=asyncio.Event)
    read: list[tuple[PeerId, MessageId]] = field(default_factory=list)
    connects: int = 0
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
            sent_at=self.clock.now(),
            text=text,
            reply_to_id=reply_to,
        )
        self.messages.append(message)
        return message

    def partner_writes(self, text: str, peer: PeerId = MARTA) -> Message:
        """The partner writes; a connected client hears of it."""
        message = self.store(text, out=False, peer=peer)
        self.report(message)
        return message

    def partner_edits(self, message: Message, text: str) -> Message:
        """The partner gives a message another text; a connected client hears of it."""
        edited = replace(message, text=text, edited_at=self.clock.now())
        self.messages[self.messages.index(message)] = edited
        if self.gateway is not None and self.gateway.listener is not None:
            self.gateway.listener.message_edited(chat_info(message.key.peer_id), edited)
        return edited

    def operator_writes(self, text: str) -> Message:
        """The operator writes on another device; a connected client hears of it."""
        message = self.store(text, out=True)
        self.report(message)
        return message

    def is_heard(self) -> bool:
        """Tell whether a client is connected."""
        return self.gateway is not None and self.gateway.listener is not None

    def report(self, message: Message) -> None:
        """A connected client hears of a message."""
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

    async def connect(self, listener: GatewayListener) -> AccountIdentity:
        self._server.connects += 1
        if self._server.refuse_connect is not None:
            raise self._server.refuse_connect
        self.listener = listener
        return AccountIdentity(ACCOUNT, "Nora Vale", "", "+9996621001")

    async def wait_lost(self) -> None:
        await self._lost.wait()

    def is_up(self) -> bool:
        return self.listener is not None and not self._lost.is_set()

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
            and message.key.message_id > above_id
            and (not below_id or message.key.message_id < below_id)
        ]
        return tuple(rows[-limit:])

    async def send_text(self, request: SendRequest) -> SentReceipt:
        if not self.is_up():
            raise NotConnectedError("not connected")
        self._server.requests.append(request)
        answer = self._server.script.popleft() if self._server.script else None
        if isinstance(answer, Exception):
            raise answer
        if answer == LOSE:
            await asyncio.Event().wait()
        message = self._server.store(request.text, out=True, peer=request.peer_id, reply_to=request.reply_to_id)
        if answer == HANG:
            await asyncio.Event().wait()
        return SentReceipt(message.key.message_id, message.sent_at)

    async def mark_read(self, peer_id: PeerId, up_to: MessageId) -> None:
        self._server.read.append((peer_id, up_to))

    async def show_typing(self, peer_id: PeerId) -> None:
        self._server.typing.append(peer_id)
        self._server.typed.set()

    async def disconnect(self) -> None:
        self.listener = None
        self._lost.set()
