"""One file after the other, with single keys: accept, write, ask again, or take a saved phrase."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

if TYPE_CHECKING:
    from chimein_gui.domain.media.library import MediaEntry
    from chimein_gui.domain.media.records import MediaRecord
    from chimein_gui.viewmodels.media_library.model import MediaLibraryModel

MOST_PHRASES = 9


class Triage(QObject):
    """Goes through the files that need a look, in the order of the grid.

    Attributes:
        moved: Another file is shown, or none is left.
        phrases_changed: Other phrases are saved.
        phrases: Texts that are written with one key, at most nine.
        accepted: How many files were accepted since the begin.
    """

    moved = Signal()
    phrases_changed = Signal()

    def __init__(self, library: MediaLibraryModel) -> None:
        super().__init__(library)
        self._library = library
        self._queue: list[str] = []
        self._place = 0
        self._history: list[tuple[int, str, MediaRecord | None]] = []
        self.phrases: list[str] = []
        self.accepted = 0

    def begin(self) -> None:
        """Begin with the selected file, if it needs a look."""
        library = self._library
        order = library.rows.order()
        self._queue = [one for one in order if library.entries[one].needs_look]
        selected = library.selected.unique_id if library.selected is not None else ""
        self._place = self._queue.index(selected) if selected in self._queue else 0
        self._history.clear()
        self.accepted = 0
        self.moved.emit()

    @property
    def entry(self) -> MediaEntry | None:
        """The file that is shown; None at the end."""
        return self._library.entries.get(self._queue[self._place]) if self._place < len(self._queue) else None

    @property
    def skipped(self) -> int:
        """How many of them still need a look."""
        entries = self._library.entries
        return sum(one in entries and entries[one].needs_look for one in self._queue)

    @property
    def place(self) -> tuple[int, int]:
        """Which one it is, from 1, and how many there are."""
        return min(self._place + 1, len(self._queue)), len(self._queue)

    @property
    def proposed(self) -> str:
        """The text that is accepted: what the model said, or what the operator wrote before."""
        return self.entry.text if self.entry is not None else ""

    def accept(self, text: str) -> bool:
        """Save a text as the description, and go on; False if it is empty."""
        entry = self.entry
        if entry is None or not text.strip():
            return False
        self._history.append((self._place, entry.unique_id, entry.curated[0] if entry.curated else None))
        self._library.changes.save(entry, text)
        self.accepted += 1
        self.skip()
        return True

    def take_phrase(self, number: int) -> bool:
        """Accept a saved phrase, from 1."""
        return 0 < number <= len(self.phrases) and self.accept(self.phrases[number - 1])

    def skip(self, by: int = 1) -> None:
        """Go on without a change, or back."""
        self._place = min(max(self._place + by, 0), len(self._queue))
        if self.entry is not None:
            self._library.select(self.entry.unique_id)
        self.moved.emit()

    def again(self, instruction: str = "") -> None:
        """Let a model describe the file anew."""
        if self.entry is not None:
            self._library.requests.describe_again(self.entry, instruction)

    @property
    def can_undo(self) -> bool:
        """Whether something was accepted that can be taken back."""
        return bool(self._history)

    def undo(self) -> None:
        """Take back what was accepted last, and show its file."""
        if not self._history:
            return
        self._place, unique_id, before = self._history.pop()
        entry = self._library.entries[unique_id]
        if before is not None:
            self._library.changes.save(entry, before.description)
        elif entry.curated:
            self._library.changes.delete(entry.curated[0], is_said=False)
        self.accepted -= 1
        self._library.select(unique_id)
        self.moved.emit()

    # --- phrases --------------------------------------------------------------------------------------------------

    def save_phrase(self, text: str) -> bool:
        """Keep a text as the next phrase; False if it is there already, or there are nine."""
        text = " ".join(text.split())
        if not text or text in self.phrases or len(self.phrases) >= MOST_PHRASES:
            return False
        self.phrases.append(text)
        self.phrases_changed.emit()
        return True

    def take_over(self, phrases: list[str]) -> None:
        """Use the phrases of an earlier run."""
        self.phrases = [" ".join(one.split()) for one in phrases if one.strip()][:MOST_PHRASES]
        self.phrases_changed.emit()

    def drop_phrase(self, number: int) -> None:
        """Forget a phrase, from 1."""
        if 0 < number <= len(self.phrases):
            del self.phrases[number - 1]
            self.phrases_changed.emit()
