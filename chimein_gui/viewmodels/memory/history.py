"""The versions of a memory file, newest first: when each was written, by whom, and what changed."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QAbstractListModel, QCoreApplication, QModelIndex, QObject, Qt

from chimein_gui.domain.memory.edits import file_entries
from chimein_gui.domain.memory.files import shown
from chimein_gui.domain.memory.versions import Author, EntryCounts, MemoryVersion
from chimein_gui.viewmodels.core.roles import Index, ItemRole

if TYPE_CHECKING:
    from chimein_gui.domain.memory.entries import MemoryFile, MemoryKind
    from chimein_gui.viewmodels.core.clock import ClockFace

translate = QCoreApplication.translate


def author_words(version: MemoryVersion) -> str:
    """Return who changed a file."""
    if version.author is Author.REPLY and version.plan is not None:
        return translate("MemoryPane", "reply of plan {number}").format(number=version.plan)
    return {
        Author.OPERATOR: translate("MemoryPane", "you"),
        Author.UNDO: translate("MemoryPane", "you took a change back"),
        Author.RESTORE: translate("MemoryPane", "you restored a version"),
        Author.REPLY: translate("MemoryPane", "a reply"),
        Author.ORDER: translate("MemoryPane", "the partner asked for it"),
        Author.EXTRACTION: translate("MemoryPane", "extraction, accepted by you"),
        Author.OUTSIDE: translate("MemoryPane", "another program"),
    }[version.author]


def change_words(counts: EntryCounts) -> str:
    """Return how many entries a change added, removed and edited."""
    parts = []
    added, removed, edited = counts.added, counts.removed, counts.edited
    if added:
        parts.append(translate("MemoryPane", "%n added", "", added))
    if edited:
        parts.append(translate("MemoryPane", "%n edited", "", edited))
    if removed:
        parts.append(translate("MemoryPane", "%n removed", "", removed))
    return ", ".join(parts) or translate("MemoryPane", "no entry changed")


def entries_text(kind: MemoryKind, content: str) -> str:
    """Return the texts of the entries of a file, without headings and comments."""
    return "\n\n".join(shown(one.entry.text) for one in file_entries(kind, content))


class HistoryModel(QAbstractListModel):
    """The versions of one file.

    Attributes:
        file: Which file; None while none is chosen.
        versions: Newest first.
    """

    def __init__(self, clock: ClockFace, parent: QObject) -> None:
        super().__init__(parent)
        self._clock = clock
        self.file: MemoryFile | None = None
        self.versions: tuple[MemoryVersion, ...] = ()

    def show(self, file: MemoryFile | None, versions: tuple[MemoryVersion, ...]) -> None:
        """Show the versions of another file, or newer ones of the same."""
        if (file, versions) != (self.file, self.versions):
            self.beginResetModel()
            self.file, self.versions = file, versions
            self.endResetModel()

    def version_at(self, row: int) -> MemoryVersion | None:
        """Return the version in a row; None if there is no such row."""
        return self.versions[row] if 0 <= row < len(self.versions) else None

    def time_of(self, version: MemoryVersion) -> str:
        """Return when a version was written."""
        return self._clock.stamp(version.at)

    def rowCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008 - Qt's own default
        return 0 if parent.isValid() else len(self.versions)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        version = self.version_at(index.row()) if index.isValid() else None
        if version is None:
            return None
        if role == ItemRole:
            return version
        if role in (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.AccessibleTextRole):
            return ", ".join((self.time_of(version), change_words(version.counts), author_words(version)))
        return None
