"""What is being typed into memories: kept against a crash, and offered again after it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QTimer

from chimein_gui.domain.memory.edits import file_entries
from chimein_gui.domain.memory.merging.drafts import MemoryDraft
from chimein_gui.domain.memory.provenance import provenance_of
from chimein_gui.viewmodels.memory.cards import Card

if TYPE_CHECKING:
    from chimein_gui.domain.memory.entries import MemoryFile
    from chimein_gui.viewmodels.memory.jobs import MemoryJobs

KEEP_MS = 500
"""Time after a key press at which the text is kept."""


class TypedMemories(QObject):
    """Keeps one draft a file."""

    def __init__(self, jobs: MemoryJobs) -> None:
        super().__init__(jobs)
        self._jobs = jobs
        self._waiting: dict[MemoryFile, MemoryDraft] = {}
        self._typed: dict[MemoryFile, MemoryDraft] = {}
        self._soon = QTimer(self)
        self._soon.setSingleShot(True)
        self._soon.setInterval(KEEP_MS)
        self._soon.timeout.connect(self.keep_now)

    def load(self) -> None:
        """Read what an earlier run left."""
        api = self._jobs.api
        if api is None:
            return

        async def load() -> None:
            found = await api.drafts()
            self._jobs.deliver(lambda: self._waiting.update({one.file: one for one in found}))

        self._jobs.run(load(), "read drafts of memories")

    def note(self, draft: MemoryDraft) -> None:
        """Keep a text soon."""
        self._typed[draft.file] = draft
        self._soon.start()

    def saving(self, file: MemoryFile) -> None:
        """Do not keep what was typed last any more: it is being saved, and what was kept goes once it is."""
        self._typed.pop(file, None)

    def put_aside(self, draft: MemoryDraft) -> None:
        """Keep a text whose field was closed, and offer it again."""
        if draft.text.strip():
            self._waiting[draft.file] = self._typed[draft.file] = draft
            self.keep_now()

    def keep_now(self) -> None:
        """Keep what was typed since the last time."""
        api, typed = self._jobs.api, tuple(self._typed.values())
        self._typed.clear()
        self._soon.stop()
        if api is None or not typed:
            return

        async def keep() -> None:
            for draft in typed:
                await api.keep_draft(draft)

        self._jobs.run(keep(), "keep drafts of memories")

    def drop(self, file: MemoryFile) -> None:
        """Forget what was typed: it is saved, or shall not be."""
        self._typed.pop(file, None)
        self._waiting.pop(file, None)
        if self._jobs.api is not None:
            self._jobs.run(self._jobs.api.drop_draft(file), "drop a draft of a memory")

    def take(self, file: MemoryFile) -> MemoryDraft | None:
        """Return what an earlier run left of a file, once."""
        return self._waiting.pop(file, None)


def card_of(draft: MemoryDraft) -> Card | None:
    """Return the card that a draft changes, as it was; None for a new entry."""
    for found in file_entries(draft.file.kind, draft.base):
        if found.block == draft.block:
            return Card(draft.file, found, provenance_of(found.block))
    return None
