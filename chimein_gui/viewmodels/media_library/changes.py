"""The operator's changes of descriptions: saved as they are typed, moved, deleted, each with its state."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QCoreApplication, QObject, Signal

from chimein_gui.viewmodels.media_library.words import place_words

if TYPE_CHECKING:
    from chimein_gui.domain.media.library import MediaEntry
    from chimein_gui.domain.media.records import MediaPlace, MediaRecord
    from chimein_gui.viewmodels.engine_api.media import MediaService
    from chimein_gui.viewmodels.media_library.jobs import MediaJobs

translate = QCoreApplication.translate


class Saving(StrEnum):
    """How far a text is."""

    SAVING = "saving"
    SAVED = "saved"
    FAILED = "failed"


@dataclass(frozen=True, slots=True)
class SaveState:
    """The last save of a file's description.

    Attributes:
        saving: How far it is.
        text: The text that was to be saved.
        place: The directory that was asked for.
        words: Why it failed; else empty.
    """

    saving: Saving
    text: str
    place: MediaPlace | None
    words: str = ""


class MediaChanges(QObject):
    """Makes changes one after the other for each file, so that an older text never comes after a newer one.

    Attributes:
        made: A change was made; carries the id of the file.
        recorded: A description was written; carries its record.
        state_changed: A save began, ended or failed; carries the id of the file.
        done: Words for the operator about a change, and a function that undoes it.
        place: Where new records go; None for the first directory of all agents.
    """

    made = Signal(str)
    recorded = Signal(object)
    state_changed = Signal(str)
    done = Signal(str, object)

    def __init__(self, jobs: MediaJobs, parent: QObject) -> None:
        super().__init__(parent)
        self._jobs = jobs
        self.place: MediaPlace | None = None
        self.states: dict[str, SaveState] = {}
        self._waiting: dict[str, tuple[MediaEntry, str, MediaPlace | None]] = {}

    def save(self, entry: MediaEntry, text: str, place: MediaPlace | None = None) -> None:
        """Write a description; while an earlier text of the file is being written, the newest one waits."""
        unique_id, running = entry.unique_id, self.states.get(entry.unique_id)
        place = place or self.place
        if running is not None and running.saving is Saving.SAVING:
            self._waiting[unique_id] = (entry, text, place)
            return
        api = self._jobs.api
        if api is None:
            return
        self._set(unique_id, SaveState(Saving.SAVING, text, place))
        self._jobs.run(
            self._save(api, entry, text, place),
            "save a description",
            partial(self._failed, unique_id, text, place),
        )

    async def _save(self, api: MediaService, entry: MediaEntry, text: str, place: MediaPlace | None) -> None:
        record = await api.save(entry, text, place)
        self._jobs.deliver(partial(self._saved, entry.unique_id, text, place, record))

    def _saved(self, unique_id: str, text: str, place: MediaPlace | None, record: MediaRecord) -> None:
        self.recorded.emit(record)
        self._set(unique_id, SaveState(Saving.SAVED, text, place))
        self.made.emit(unique_id)
        self._go_on(unique_id)

    def _failed(self, unique_id: str, text: str, place: MediaPlace | None, words: str) -> None:
        self._set(unique_id, SaveState(Saving.FAILED, text, place, words))
        self._go_on(unique_id)

    def _go_on(self, unique_id: str) -> None:
        waiting = self._waiting.pop(unique_id, None)
        if waiting is not None:
            self.save(*waiting)

    def _set(self, unique_id: str, state: SaveState) -> None:
        self.states[unique_id] = state
        self.state_changed.emit(unique_id)

    # --- records --------------------------------------------------------------------------------------------------

    def move(self, record: MediaRecord, place: MediaPlace) -> None:
        """Move a curated record to another directory."""
        words = translate("MediaChanges", "Moved to “{place}”.").format(place=place_words(place))
        self._move(record, place, words)

    def _move(self, record: MediaRecord, place: MediaPlace, words: str) -> None:
        api, before = self._jobs.api, record.place
        if api is None:
            return

        async def move() -> None:
            moved = await api.move(record, place)
            self._jobs.deliver(partial(self._made, record.unique_id))
            if words and before is not None:
                undo = partial(self._move, moved, before, "")
                self._jobs.deliver(lambda: self.done.emit(words, undo))

        self._jobs.run(move(), "move a description")

    def delete(self, record: MediaRecord, *, is_said: bool = True) -> None:
        """Delete a record; that is said, with an undo, unless it is itself one."""
        api = self._jobs.api
        if api is None:
            return

        async def delete() -> None:
            await api.delete(record)
            self._jobs.deliver(partial(self._made, record.unique_id))
            words = translate("MediaChanges", "Description deleted.")
            if not is_said:
                return
            self._jobs.deliver(lambda: self.done.emit(words, partial(self._restore, record)))

        self._jobs.run(delete(), "delete a description")

    def _restore(self, record: MediaRecord) -> None:
        api = self._jobs.api
        if api is None:
            return

        async def restore() -> None:
            await api.restore(record)
            self._jobs.deliver(partial(self._made, record.unique_id))

        self._jobs.run(restore(), "restore a description")

    def _made(self, unique_id: str) -> None:
        self.states.pop(unique_id, None)
        self.made.emit(unique_id)
