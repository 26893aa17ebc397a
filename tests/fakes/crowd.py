"""A small Telegram with several chats, for interleavings: what is missed offline is reported at the next connect."""

from __future__ import annotations

import asyncio
from collections import Counter, deque
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from datetime import datetime
from pathlib import Path
from typing import TypeVar

from chimein_gui.domain.accounts.group_moves import NO_GROUPS, KnownGroups
from chimein_gui.domain.chats import ChatInfo, ChatKind
from chimein_gui.domain.errors import ModelError, NotConnectedError, OutcomeUnknownError, SendRefusedError
from chimein_gui.domain.ids import AccountId, MessageId, PeerId, UserId
from chimein_gui.domain.messages import Message
from chimein_gui.domain.plans.outgoing_files import OutgoingFile
from chimein_gui.domain.prompt.prompts import ModelReply, Prompt, Usage
from chimein_gui.engine.ports import (
    AccountIdentity,
    DialogInfo,
    FileRequest,
    GatewayListener,
    SendRequest,
    SentReceipt,
    StickerRequest,
    UploadedFile,
)
from tests.fakes.model import SpeaksGemini
from tests.fakes.telegram import ACCOUNT, HANG, LOSE, MARTA, FakeGateway, FakeTelegram

T = TypeVar("T")

BEN = PeerId(7_000_005_002)
CLUB = PeerId(-5_003)
MEMBERS = (UserId(7_000_006_001), UserId(7_000_006_002))
CHATS = {
    MARTA: ChatInfo(ACCOUNT, MARTA, ChatKind.DM, "Marta"),
    BEN: ChatInfo(ACCOUNT, BEN, ChatKind.DM, "Ben"),
    CLUB: ChatInfo(ACCOUNT, CLUB, ChatKind.GROUP, "Club"),
}
LATER = "later"
"""Script entry: neither executed nor answered yet; the test decides with `Crowd.answer`."""

Report = Callable[[GatewayListener], None]


@dataclass
class Flying:
    """A request without an answer."""

    peer_id: PeerId
    answer: asyncio.Future[Exception | str | None]


@dataclass
class Crowd(FakeTelegram):
    """The server's side.

    Attributes:
        missed: What happened while no client was connected, oldest first.
        unanswered: What was executed without an answer, and is reported at the next connect.
        flying: Requests that wait for `answer`.
        on_request: Called with every request at its hand-over.
        on_refusal: Called with every answer that is an error.
        asked: The recipient of the newest request.
        asked_for: Its kind: ``send``, ``sticker``, ``file`` or the name of another action.
        account: The logged-in account; another one has no chats.
        look_ups: How a look-up of a chat's mute is answered: ``on_progress``, ``slow`` (when `slow_looks` are set) or
            ``fails``.
        on_mute_told: Called with every such answer that no change has outdated.
        on_connect: Called with every connection.
        on_upload: Called with every completed upload, and the time of its start.
        slow_uploads: What uploads wait for when half done; the end of the connection ends them.
        forgets_parts: The next send of a file is refused, because its parts are gone; `on_parts_gone` is called.
        tell_own: A send that was executed without an answer is reported at the next connect, like any message.
    """

    missed: deque[tuple[PeerId, Callable[[], None], Report]] = field(default_factory=deque)
    unanswered: list[Message] = field(default_factory=list)
    track: list[Flying] = field(default_factory=list)
    on_request: Callable[[SendRequest | StickerRequest | FileRequest], None] = lambda _request: None
    on_refusal: Callable[[PeerId, Exception], None] = lambda _peer, _error: None
    asked: PeerId = MARTA
    asked_for: str = ""
    on_upload: Callable[[OutgoingFile, datetime], None] = lambda _file, _began: None
    slow_uploads: list[asyncio.Event] = field(default_factory=list)
    forgets_parts: bool = False
    on_parts_gone: Callable[[OutgoingFile], None] = lambda _file: None
    tell_own: bool = True
    look_ups: str = "told"
    slow_looks: list[asyncio.Event] = field(default_factory=list)
    mute_changes: Counter[PeerId] = field(default_factory=Counter)
    on_mute_told: Callable[[PeerId, datetime | None], None] = lambda _peer, _until: None
    on_connect: Callable[[], None] = lambda: None
    account: AccountId = ACCOUNT

    def __post_init__(self) -> None:
        self.make = CrowdGateway

    def tell(self, peer: PeerId, note: Callable[[], None], report: Report) -> None:
        """Report something now, or at the next connect; `note` is called when it is reported."""
        listener = self.gateway.listener if self.gateway is not None else None
        if listener is None:
            self.missed.append((peer, note, report))
            return
        note()
        report(listener)

    def mutes(self, peer: PeerId, until: datetime | None) -> bool:
        """Mute or unmute a chat on another device; returns whether a client is notified."""
        self.mute_changes[peer] += 1
        if until is None:
            self.muted.pop(peer, None)
        else:
            self.muted[peer] = until
        listener = self.gateway.listener if self.gateway is not None else None
        if listener is not None:
            listener.mute_changed(ACCOUNT, peer)
        return listener is not None

    def says(
        self,
        peer: PeerId,
        sender: UserId,
        text: str,
        note: Callable[[Message], None],
        reply_to: MessageId | None = None,
    ) -> Message:
        """Report a message of somebody else."""
        message = replace(self.store(text, out=False, peer=peer, reply_to=reply_to), sender_id=sender)
        self.messages[-1] = message
        self.tell(peer, lambda: note(message), lambda listener: listener.message_arrived(CHATS[peer], message))
        return message

    def operator_says(self, peer: PeerId, text: str, note: Callable[[Message], None]) -> Message:
        """Report a message of the operator from another device."""
        message = self.store(text, out=True, peer=peer)
        self.tell(peer, lambda: note(message), lambda listener: listener.message_arrived(CHATS[peer], message))
        return message

    def edits(self, message: Message, text: str, note: Callable[[], None]) -> Message:
        """Report an edit of a message."""
        edited = replace(message, text=text, edited_at=self.clock.now())
        self.messages[message.key.message_id - 1] = edited
        peer = message.key.peer_id
        self.tell(peer, note, lambda listener: listener.message_edited(CHATS[peer], edited))
        return edited

    def deletes(self, message: Message, note: Callable[[], None]) -> None:
        """Report a deleted message."""
        key = message.key
        self.messages[key.message_id - 1] = replace(message, deleted=True)
        self.tell(
            key.peer_id, note, lambda listener: listener.messages_deleted(ACCOUNT, key.peer_id, (key.message_id,))
        )

    def answer(self, track: Flying, outcome: Exception | str | None) -> None:
        """Answer a request: None = executed, else as in the script."""
        self.track.remove(track)
        if not track.answer.done():
            track.answer.set_result(outcome)

    async def drop(self, executed: bool) -> None:
        """Lose the connection; requests in flight were executed or not."""
        if self.gateway is None:
            return
        for one in list(self.track):
            self.answer(one, HANG if executed else LOSE)
        for _ in range(3):
            await asyncio.sleep(0)
        await self.gateway.disconnect()
        self.let_uploads_end()

    def let_uploads_end(self) -> None:
        """Let half-done uploads continue."""
        for one in self.slow_uploads:
            one.set()
        self.slow_uploads.clear()


class CrowdGateway(FakeGateway):
    """Implements `engine.ports.TelegramGateway` for the crowd."""

    _server: Crowd

    async def connect(self, listener: GatewayListener, groups: KnownGroups = NO_GROUPS) -> AccountIdentity:
        self._server.on_connect()
        identity = await super().connect(listener)
        for message in self._server.unanswered:
            self._server.missed.appendleft((message.key.peer_id, _nothing, _arrival(message)))
        self._server.unanswered.clear()
        while self._server.missed and self.listener is not None:
            _, note, report = self._server.missed.popleft()
            note()
            report(listener)
        return replace(identity, account_id=self._server.account)

    async def muted_until(self, peer_id: PeerId) -> datetime | None:
        server = self._server
        until, changes = server.muted.get(peer_id), server.mute_changes[peer_id]
        if server.look_ups == "slow":
            go_on = asyncio.Event()
            server.slow_looks.append(go_on)
            await go_on.wait()
        if not self.is_up() or server.look_ups == "fails":
            raise NotConnectedError("Telegram has trouble.")
        if changes == server.mute_changes[peer_id]:
            server.on_mute_told(peer_id, until)
        return until

    async def upload(self, path: Path, file: OutgoingFile, on_progress: Callable[[int], None]) -> UploadedFile:
        began = self._server.clock.now()
        uploaded = await super().upload(path, file, on_progress)
        self._server.on_upload(file, began)
        return uploaded

    async def send_file(self, request: FileRequest) -> SentReceipt:
        if self._server.forgets_parts and self.is_up():
            self._server.forgets_parts = False
            self._note(self._server.file_requests, request)
            self._server.on_parts_gone(request.file)
            raise SendRefusedError("gone", "FILE_PART_0_MISSING")
        return await super().send_file(request)

    async def dialogs(self) -> tuple[DialogInfo, ...]:
        if self._server.account != ACCOUNT:
            return ()
        newest: dict[PeerId, MessageId] = {}
        for message in self._server.messages:
            if not message.deleted:
                newest[message.key.peer_id] = message.key.message_id
        return tuple(DialogInfo(CHATS[peer], top, MessageId(0), MessageId(0)) for peer, top in newest.items())

    def _note(self, requests: list[T], request: T) -> None:
        super()._note(requests, request)
        self._server.asked = request.peer_id  # type: ignore[attr-defined]
        kinds = {SendRequest: "send", StickerRequest: "sticker", FileRequest: "file"}
        self._server.asked_for = kinds[type(request)]
        self._server.on_request(request)  # type: ignore[arg-type]

    async def _answer(self, execute: Callable[[], T]) -> T:
        server, peer = self._server, self._server.asked
        outcome: Exception | str | None = server.script.popleft() if server.script else None
        if outcome == LATER:
            track = Flying(peer, asyncio.get_running_loop().create_future())
            server.track.append(track)
            try:
                outcome = await track.answer
            finally:
                if track in server.track:
                    server.track.remove(track)
        if isinstance(outcome, Exception):
            server.on_refusal(peer, outcome)
            raise outcome
        if outcome == LOSE:
            await self._never()
        before = len(server.messages)
        result = execute()
        if outcome == HANG:
            if server.tell_own and len(server.messages) > before:
                server.unanswered.append(server.messages[-1])
            await self._never()
        if not self.is_up():
            raise OutcomeUnknownError("The connection was lost before Telegram answered.")
        return result

    async def _do(self, method: str, action: Callable[[], None], *what: object) -> None:
        if not self.is_up():
            raise NotConnectedError("not connected")
        self._server.asked, self._server.asked_for = what[0], method  # type: ignore[assignment]
        await super()._do(method, action, *what)


def _nothing() -> None:
    return


def _arrival(message: Message) -> Report:
    return lambda listener: listener.message_arrived(CHATS[message.key.peer_id], message)


class CrowdModel(SpeaksGemini):
    """Implements `engine.ports.LanguageModel`; a slow one answers when a test says so."""

    def __init__(self, write: Callable[[Prompt], str | ModelError]) -> None:
        self._write = write
        self.slow = False
        self.thinking: list[asyncio.Event] = []

    async def generate(self, prompt: Prompt) -> ModelReply:
        if self.slow:
            go_on = asyncio.Event()
            self.thinking.append(go_on)
            try:
                await go_on.wait()
            finally:
                if go_on in self.thinking:
                    self.thinking.remove(go_on)
        written = self._write(prompt)
        if isinstance(written, ModelError):
            raise written
        return ModelReply(written, Usage(10, 5))

    async def aclose(self) -> None:
        return
