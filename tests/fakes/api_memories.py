"""The real editor of memories over real files of a test; nothing waits."""

from __future__ import annotations

from typing import TYPE_CHECKING

from chimein_gui.adapters.files.memory import MarkdownMemoryFiles
from chimein_gui.domain.memory.versions import Author
from chimein_gui.engine.memory.editor import MemoryEditor

if TYPE_CHECKING:
    from collections.abc import Collection
    from datetime import datetime
    from pathlib import Path

    from chimein_gui.domain.ids import ChatId, MessageId
    from chimein_gui.domain.memory.entries import MemoryFile, MemoryScope, MemoryText
    from chimein_gui.domain.memory.merging.drafts import MemoryDraft
    from chimein_gui.domain.memory.provenance import FileCount
    from chimein_gui.domain.memory.versions import MemoryVersion, OutsideChange
    from tests.fakes.engine_api import FakeEngineApi


class DirectMemoryFiles(MarkdownMemoryFiles):
    """The real files, read and written at once: jobs of the window's tests never wait."""

    async def texts(self, scope: MemoryScope) -> tuple[MemoryText, ...]:
        return tuple(self._places.texts(scope))

    async def files(self, agent_names: Collection[str]) -> tuple[MemoryFile, ...]:
        return tuple(dict.fromkeys(self._places.files(tuple(agent_names))))

    async def counts(self, agent_names: Collection[str]) -> dict[MemoryFile, FileCount]:
        return self._places.counts(tuple(agent_names))

    async def text(self, file: MemoryFile) -> MemoryText:
        return self._text(file)

    async def write(self, file: MemoryFile, content: str, expected: str, author: Author = Author.OPERATOR) -> bool:
        return self._write(file, content, expected, author)

    async def notice(self, file: MemoryFile, only: str | None = None) -> None:
        self._notice(file, only)

    async def outside_change(self, file: MemoryFile) -> OutsideChange | None:
        return self._outside_change(file)

    async def versions(self, file: MemoryFile) -> tuple[MemoryVersion, ...]:
        return self._locked(lambda: tuple(self._versions.all_of(file)))

    async def keep_draft(self, draft: MemoryDraft) -> None:
        self._drafts.keep(draft)

    async def drop_draft(self, file: MemoryFile) -> None:
        self._drafts.drop(file)

    async def drafts(self) -> tuple[MemoryDraft, ...]:
        return self._drafts.all()

    async def version_text(self, file: MemoryFile, name: str) -> str:
        return self._versions.content_of(file, name)


class ConsoleClock:
    """The time of a fake engine."""

    def __init__(self, api: FakeEngineApi) -> None:
        self._api = api

    def now(self) -> datetime:
        return self._api.now()


class FakeOrders:
    """Notes which orders are taken back.

    Attributes:
        undone: The messages whose orders were taken back.
        is_changed: The entries were changed meanwhile.
        error: Raised instead, if set.
    """

    def __init__(self) -> None:
        self.undone: list[MessageId] = []
        self.is_changed = False
        self.error: OSError | None = None

    async def undo_order(self, chat_id: ChatId, message_id: MessageId) -> bool:
        if self.error is not None:
            raise self.error
        if not self.is_changed:
            self.undone.append(message_id)
        return not self.is_changed


def memories_of(api: FakeEngineApi, folder: Path | None = None) -> MemoryEditor:
    """Return the service; without a folder there are no files."""
    files = None if folder is None else DirectMemoryFiles(folder / "state", (folder / "config",))
    return MemoryEditor(files, ConsoleClock(api), lambda: [agent.spec for agent in api.agents.values()])  # type: ignore[arg-type]
