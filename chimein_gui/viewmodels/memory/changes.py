"""The operator's changes of memories; each can be undone."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QCoreApplication, QObject, Signal

from chimein_gui.domain.errors import ChimeinError
from chimein_gui.domain.memory.merging.drafts import MemoryDraft
from chimein_gui.domain.memory.merging.three_way import MemoryConflict
from chimein_gui.viewmodels.memory.conflicts import ConflictsModel

if TYPE_CHECKING:
    from collections.abc import Coroutine
    from typing import Any

    from chimein_gui.domain.memory.edits import FileEntry, MemoryChange
    from chimein_gui.domain.memory.entries import MemoryFile
    from chimein_gui.domain.memory.versions import FileRestored, MemoryVersion
    from chimein_gui.viewmodels.memory.conflicts import OpenConflict
    from chimein_gui.viewmodels.memory.jobs import MemoryJobs

translate = QCoreApplication.translate


class MemoryChanges(QObject):
    """Asks the engine for changes.

    Attributes:
        made: A change was made, or undone.
        done: A change was made; carries a sentence that says so, and what undoes it.
        conflicted: An entry was not written, because another program has changed it, too.
        refused: A text could not be written; carries it as a `MemoryDraft`.
        conflicts: What waits for a decision.
    """

    made = Signal()
    conflicted = Signal()
    refused = Signal(object)
    done = Signal(str, object)

    def __init__(self, jobs: MemoryJobs) -> None:
        super().__init__(jobs)
        self._jobs = jobs
        self.conflicts = ConflictsModel(self)

    def add(self, file: MemoryFile, text: str) -> None:
        """Write a new entry."""
        api = self._jobs.api
        if api is None or not text.strip():
            return

        async def add() -> MemoryChange:
            try:
                change = await api.add(file, text)
            except ChimeinError:
                self._refuse(MemoryDraft(file, "", "", text))
                raise
            await api.drop_draft(file)
            return change

        self._change(add(), translate("MemoryPane", "Added to memory"))

    def edit(self, base: str, file: MemoryFile, entry: FileEntry, text: str) -> None:
        """Give an entry another text; an empty one removes it.

        Args:
            base: What the file held when the operator began.
            file: Which file.
            entry: The entry as it was.
            text: Its text.
        """
        api = self._jobs.api
        if api is None or text == entry.entry.text:
            return

        async def save() -> None:
            try:
                saved = await api.save(base, file, entry, text)
            except ChimeinError:
                self._refuse(MemoryDraft(file, base, entry.block, text))
                raise
            if isinstance(saved, MemoryConflict):
                conflict = saved
                self._jobs.deliver(lambda: self._take_conflict(conflict))
                return
            await api.drop_draft(file)
            words, change = _saved_words(text, is_merged=saved.is_merged), saved.change
            self._jobs.deliver(lambda: self._take(words, (change,)))

        self._jobs.run(save(), "change a memory")

    def _refuse(self, draft: MemoryDraft) -> None:
        self._jobs.deliver(lambda: self.refused.emit(draft))

    def resolve(self, one: OpenConflict) -> None:
        """Write what was decided about a conflict."""
        api, content = self._jobs.api, one.result
        if api is None or content is None:
            return

        async def resolve() -> None:
            done = await api.resolve(one.conflict, content)
            if isinstance(done, MemoryConflict):
                again = done
                self._jobs.deliver(lambda: self._take_conflict(again))
                return
            await api.drop_draft(one.conflict.file)
            restored = done
            self._jobs.deliver(lambda: self._take_resolved(one, restored))

        self._jobs.run(resolve(), "resolve a conflict of memories")

    def discard(self, one: OpenConflict) -> None:
        """Forget what the operator typed in a conflict; it can be had back."""
        self.conflicts.remove(one)
        if self._jobs.api is not None:
            self._jobs.run(self._jobs.api.drop_draft(one.conflict.file), "drop a draft of a memory")
        words = translate("MemoryPane", "Your change is discarded")
        self.done.emit(words, lambda: self._put_back(one.conflict))

    def _put_back(self, conflict: MemoryConflict) -> None:
        self.conflicts.put(conflict)
        draft = MemoryDraft(conflict.file, conflict.base, conflict.block, conflict.text)
        if self._jobs.api is not None:
            self._jobs.run(self._jobs.api.keep_draft(draft), "keep a draft of a memory")

    def _take_conflict(self, conflict: MemoryConflict) -> None:
        self._put_back(conflict)
        self.made.emit()
        self.conflicted.emit()

    def _take_resolved(self, one: OpenConflict, restored: FileRestored) -> None:
        self.conflicts.remove(one)
        self._take(translate("MemoryPane", "The result is written"), (restored,))

    def merge(self, file: MemoryFile, entry: FileEntry, other: FileEntry, text: str) -> None:
        """Make one entry of two."""
        if self._jobs.api is not None and text.strip():
            words = translate("MemoryPane", "Two memories are one now")
            self._change_all(self._jobs.api.merge(file, entry, other, text), words)

    def move(self, file: MemoryFile, entry: FileEntry, to: MemoryFile) -> None:
        """Move an entry to another file."""
        if self._jobs.api is not None:
            words = translate("MemoryPane", "Moved to the other side")
            self._change_all(self._jobs.api.move(file, entry, to), words)

    def restore(self, file: MemoryFile, version: MemoryVersion) -> None:
        """Write an earlier version of a file."""
        if self._jobs.api is not None:
            words = translate("MemoryPane", "The earlier version is restored")
            self._change(self._jobs.api.restore(file, version), words)

    def _change(self, call: Coroutine[Any, Any, MemoryChange | FileRestored], words: str) -> None:
        async def make() -> None:
            change = await call
            self._jobs.deliver(lambda: self._take(words, (change,)))

        self._jobs.run(make(), "change a memory")

    def _change_all(self, call: Coroutine[Any, Any, tuple[MemoryChange, ...]], words: str) -> None:
        async def make() -> None:
            changes = await call
            self._jobs.deliver(lambda: self._take(words, changes))

        self._jobs.run(make(), "change memories")

    def _take(self, words: str, changes: tuple[MemoryChange | FileRestored, ...]) -> None:
        self.made.emit()
        self.done.emit(words, lambda: self._undo(changes))

    def _undo(self, changes: tuple[MemoryChange | FileRestored, ...]) -> None:
        api = self._jobs.api
        if api is None:
            return

        async def undo() -> None:
            for change in reversed(changes):
                await api.undo(change)
            self._jobs.deliver(self.made.emit)

        self._jobs.run(undo(), "undo a change of a memory")


def _saved_words(text: str, *, is_merged: bool) -> str:
    if not text.strip():
        return translate("MemoryPane", "Memory deleted")
    if is_merged:
        return translate("MemoryPane", "Memory changed. What another program has changed in the file is kept, too.")
    return translate("MemoryPane", "Memory changed")
