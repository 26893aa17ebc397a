"""Files of the small Telegram: a test sets their pieces and failures beforehand."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import AsyncGenerator
from dataclasses import dataclass, field

from chimein_gui.domain.errors import MediaTrouble, MediaUnavailableError
from chimein_gui.domain.ids import MessageId, PeerId
from chimein_gui.domain.messages import MessageKey
from chimein_gui.engine.ports import FileWanted


@dataclass
class FakeFile:
    """Implements `engine.ports.FoundFile`; an exception among the pieces is raised in its place."""

    file_id: int
    parts: list[bytes | Exception]
    gate: asyncio.Event | None = None
    """When set, every piece waits for it, and `begun` counts who does."""
    begun: asyncio.Semaphore = field(default_factory=lambda: asyncio.Semaphore(0))
    told_size: int | None = None

    @property
    def size(self) -> int:
        if self.told_size is not None:
            return self.told_size
        return sum(len(part) for part in self.parts if isinstance(part, bytes))

    async def pieces(self) -> AsyncGenerator[bytes, None]:
        for part in self.parts:
            if isinstance(part, Exception):
                raise part
            yield part
            if self.gate is not None:
                self.begun.release()
                await self.gate.wait()


@dataclass
class FakeFiles:
    """The existing files; `script` has the next answers to look-ups, oldest first."""

    here: dict[tuple[int, bool], FakeFile] = field(default_factory=dict)
    of_chats: dict[tuple[PeerId, MessageId], FakeFile] = field(default_factory=dict)
    asked: list[FileWanted] = field(default_factory=list)
    script: deque[Exception] = field(default_factory=deque)

    def put(self, message_id: int, file_id: int, *parts: bytes | Exception, thumbnail: bool = False) -> FakeFile:
        made = self.here[message_id, thumbnail] = FakeFile(file_id, list(parts))
        return made

    def put_in(self, key: MessageKey, file_id: int, *parts: bytes | Exception) -> FakeFile:
        """Add a file to a message of one chat; a message of another chat may have the same id."""
        made = self.of_chats[key.peer_id, key.message_id] = FakeFile(file_id, list(parts))
        return made

    def find(self, wanted: FileWanted) -> FakeFile:
        self.asked.append(wanted)
        if self.script:
            raise self.script.popleft()
        found = self.of_chats.get((wanted.peer_id, wanted.message_id)) or self.here.get(
            (wanted.message_id, wanted.thumbnail)
        )
        if found is None:
            raise MediaUnavailableError("This message has no file.", MediaTrouble.NO_FILE)
        return found
