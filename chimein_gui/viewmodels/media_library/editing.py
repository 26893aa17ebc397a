"""The description that is being written: saved a moment after the last key, and before another file is shown."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QTimer, Signal

from chimein_gui.viewmodels.media_library.changes import Saving

if TYPE_CHECKING:
    from chimein_gui.domain.media.library import MediaEntry
    from chimein_gui.domain.media.records import MediaPlace
    from chimein_gui.viewmodels.media_library.changes import SaveState
    from chimein_gui.viewmodels.media_library.model import MediaLibraryModel

REST_MS = 800
"""Time after the last key until the text is saved."""

CHARS_A_TOKEN = 4
"""For the estimate of a text's tokens."""


class DescriptionEdit(QObject):
    """The text of one file, as typed.

    Attributes:
        replaced: The field must show another text; carries it.
        state_changed: Another state of saving.
        text: The text as it is in the field.
    """

    replaced = Signal(str)
    state_changed = Signal()

    def __init__(self, library: MediaLibraryModel, parent: QObject) -> None:
        super().__init__(parent)
        self._library = library
        self._unique_id = ""
        self._base = self.text = ""
        self._rest = QTimer(self)
        self._rest.setSingleShot(True)
        self._rest.setInterval(REST_MS)
        self._rest.timeout.connect(self.save_now)
        library.entry_changed.connect(self._follow)
        library.changes.state_changed.connect(self._state)

    @property
    def entry(self) -> MediaEntry | None:
        """The file."""
        return self._library.entries.get(self._unique_id)

    @property
    def state(self) -> SaveState | None:
        """How far the last save of this file is; None if nothing was saved."""
        return self._library.changes.states.get(self._unique_id)

    @property
    def is_changed(self) -> bool:
        """Whether the field holds what is not saved yet."""
        return self.text.strip() != self._base.strip()

    @property
    def tokens(self) -> int:
        """About how many tokens the text takes in each prompt."""
        return -(-len(self.text.strip()) // CHARS_A_TOKEN)

    def show(self, entry: MediaEntry | None) -> None:
        """Show another file; what was typed for the one before is saved."""
        unique_id = entry.unique_id if entry is not None else ""
        if unique_id == self._unique_id:
            return
        self.save_now()
        self._unique_id = unique_id
        self._take(entry)

    def type(self, text: str) -> None:
        """Take what is in the field now."""
        if text != self.text:
            self.text = text
            self.state_changed.emit()
            if self.is_changed:
                self._rest.start()
            else:
                self._rest.stop()

    def save_now(self, place: MediaPlace | None = None) -> bool:
        """Save what was typed; an empty text is never saved. Returns whether there was something to save."""
        self._rest.stop()
        entry = self.entry
        if entry is None or not self.text.strip() or not (self.is_changed or place is not None):
            return False
        self._base = self.text
        self._library.changes.save(entry, self.text, place)
        return True

    def retry(self) -> None:
        """Save again what could not be saved."""
        entry, state = self.entry, self.state
        if entry is not None and state is not None and state.saving is Saving.FAILED:
            self._library.changes.save(entry, self.text or state.text, state.place)

    def _take(self, entry: MediaEntry | None) -> None:
        self._base = self.text = entry.curated[0].description if entry is not None and entry.curated else ""
        self.replaced.emit(self.text)
        self.state_changed.emit()

    def _follow(self, unique_id: str) -> None:
        """Show what another program wrote, unless something is being typed."""
        entry = self.entry
        if unique_id != self._unique_id or entry is None:
            return
        now = entry.curated[0].description if entry.curated else ""
        if not self.is_changed and not self._is_saving and now.strip() != self.text.strip():
            self._take(entry)
        elif not self.is_changed:
            self._base = now if now.strip() == self.text.strip() else self._base

    @property
    def _is_saving(self) -> bool:
        return self.state is not None and self.state.saving is Saving.SAVING

    def _state(self, unique_id: str) -> None:
        if unique_id == self._unique_id:
            if self.state is not None and self.state.saving is Saving.FAILED:
                self._base = self.entry.curated[0].description if self.entry and self.entry.curated else ""
            elif self.state is not None and self.state.saving is Saving.SAVED:
                self._base = self.state.text  # also after a failed save that was tried again
            self.state_changed.emit()
