"""The operator's own messages in the small engine, which stores them by the engine's own rules.

A test may set what asks, what is refused, and what fails, and reads the received messages.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from chimein_gui.domain.ids import AgentId, ChatId, MessageId
from chimein_gui.domain.notes import Note, NoteKind
from chimein_gui.domain.plans.outgoing_files import FileToSend, OutgoingFile
from chimein_gui.domain.plans.stickers import StickerRef
from chimein_gui.engine.operator.composer import Composer, Written

if TYPE_CHECKING:
    from pathlib import Path

    from chimein_gui.domain.chats import Unsent
    from tests.fakes.engine_api import FakeEngineApi


@dataclass(frozen=True)
class Wrote:
    """One received message."""

    chat_id: int
    text: str
    reply_to_id: int | None
    confirm: bool
    client_id: str
    attached: StickerRef | FileToSend | None = None


class FakeCopies:
    """Keeps the files that are sent in memory; implements `engine.ports.OutgoingFiles`."""

    def __init__(self) -> None:
        self.taken: list[FileToSend] = []

    async def take(self, given: FileToSend) -> OutgoingFile:
        self.taken.append(given)
        content = given.source if isinstance(given.source, bytes) else given.source.read_bytes()
        name = f"{len(self.taken):032x}"
        return OutgoingFile(name, given.file_name, len(content), "", given.as_photo, given.width, given.height)

    async def find(self, name: str) -> Path | None:
        return None

    async def drop(self, name: str) -> None:
        pass

    async def sweep(self, kept: frozenset[str]) -> None:
        pass


class FakeComposer:
    """Receives the operator's own messages."""

    def __init__(self, api: FakeEngineApi) -> None:
        self.copies = FakeCopies()
        self.engine = Composer(api.unit, api.environment, files=self.copies)
        self.wrote: list[Wrote] = []
        self.asks = ""
        self.refusal = ""
        self.fail: Exception | None = None
        self.kept: dict[int, Unsent] = {}

    async def keep(self, unsent: Unsent) -> None:
        await self.engine.keep(unsent)

    async def load_kept(self) -> tuple[Unsent, ...]:
        return await self.engine.load_kept()

    async def write(
        self,
        chat_id: ChatId,
        text: str,
        *,
        client_id: str,
        reply_to_id: MessageId | None = None,
        confirm: bool = False,
        attached: StickerRef | FileToSend | None = None,
    ) -> Written:
        self.wrote.append(Wrote(chat_id, text, reply_to_id, confirm, client_id, attached))
        if self.fail is not None:
            raise self.fail
        if self.refusal:
            return Written(None, Note(NoteKind.OTHER, self.refusal))
        if self.asks and not confirm:
            return Written(None, Note(NoteKind.OTHER, self.asks), asks=True)
        return await self.engine.write(
            chat_id, text, client_id=client_id, reply_to_id=reply_to_id, confirm=confirm, attached=attached
        )


class FakeStickers:
    """The stickers that the agents may send."""

    def __init__(self) -> None:
        self.known: tuple[StickerRef, ...] = ()

    async def load(self, agent_id: AgentId) -> tuple[StickerRef, ...]:
        return self.known


class FakeSent:
    """Edits and deletes sent messages."""

    def __init__(self, api: FakeEngineApi) -> None:
        self._api = api
        self.edited: list[tuple[int, int, str]] = []
        self.deleted: list[tuple[int, int]] = []
        self.refusal = ""

    async def edit(self, chat_id: ChatId, message_id: MessageId, text: str) -> Note | None:
        self.edited.append((chat_id, message_id, text))
        if not self.refusal:
            known = self._api.messages[chat_id][message_id]
            self._api.put_message(chat_id, replace(known, text=text, edited_at=self._api.now()))
        return Note(NoteKind.OTHER, self.refusal) if self.refusal else None

    async def delete(self, chat_id: ChatId, message_id: MessageId) -> Note | None:
        self.deleted.append((chat_id, message_id))
        if not self.refusal:
            self._api.put_message(chat_id, replace(self._api.messages[chat_id][message_id], deleted=True))
        return Note(NoteKind.OTHER, self.refusal) if self.refusal else None
