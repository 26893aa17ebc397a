"""The facets as rows of a list: a heading a section, then its values with their counts."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QAbstractListModel, QModelIndex, QPersistentModelIndex, Qt

from chimein_gui.viewmodels.core.roles import ItemRole
from chimein_gui.viewmodels.media_library.facets import Facet, Section
from chimein_gui.viewmodels.media_library.words import all_words, facet_sentence, section_words

if TYPE_CHECKING:
    from chimein_gui.viewmodels.media_library.model import MediaLibraryModel

ALL = "all"
"""Value of the row that takes every choice back."""

_ORDER = (Section.STATUS, Section.KIND, Section.SET, Section.AGENT, Section.CHAT, Section.SENDING)


class FacetRows(QAbstractListModel):
    """Follows the model of the pane. A row is a `Section` for a heading, else a `Facet`."""

    def __init__(self, library: MediaLibraryModel) -> None:
        super().__init__(library)
        self._library = library
        self._rows: tuple[Section | Facet, ...] = ()
        library.changed.connect(self._follow)
        self._follow()

    def _follow(self) -> None:
        rows: list[Section | Facet] = []
        facets, count = self._library.facets, len(self._library.entries)
        for section in _ORDER:
            listed = facets.get(section, ())
            if not listed or (len(listed) == 1 and section in (Section.SET, Section.CHAT, Section.SENDING)):
                continue
            rows.append(section)
            if section is Section.STATUS:
                rows.append(Facet(section, ALL, count))
            rows += listed
        if tuple(rows) != self._rows:
            self.beginResetModel()
            self._rows = tuple(rows)
            self.endResetModel()
        elif rows:
            self.dataChanged.emit(self.index(0, 0), self.index(len(rows) - 1, 0))

    def rowCount(self, parent: QModelIndex | QPersistentModelIndex = QModelIndex()) -> int:  # noqa: B008 - Qt's own
        return 0 if parent.isValid() else len(self._rows)

    def flags(self, index: QModelIndex | QPersistentModelIndex) -> Qt.ItemFlag:
        if isinstance(self.item(index.row()), Section):
            return Qt.ItemFlag.ItemIsEnabled
        return Qt.ItemFlag.ItemIsEnabled | Qt.ItemFlag.ItemIsSelectable

    def data(self, index: QModelIndex | QPersistentModelIndex, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        row = self.item(index.row()) if index.isValid() else None
        if row is None:
            return None
        if role == ItemRole:
            return row
        if role in (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.AccessibleTextRole):
            if isinstance(row, Section):
                return section_words(row)
            return facet_sentence(row, is_chosen=self.is_chosen(row), is_all=row.value == ALL)
        return None

    def item(self, row: int) -> Section | Facet | None:
        """Return a row; None beyond the end."""
        return self._rows[row] if 0 <= row < len(self._rows) else None

    def words(self, facet: Facet) -> str:
        """Return the words of a facet."""
        from chimein_gui.viewmodels.media_library.words import facet_words

        return all_words() if facet.value == ALL else facet_words(facet)

    def is_chosen(self, facet: Facet) -> bool:
        """Tell whether only the files of a facet are shown."""
        if facet.value == ALL:
            return not self._library.filter.has_facets
        return self._library.filter.chosen(facet.section) == facet.value

    def press(self, row: int) -> None:
        """Choose a facet, or take the choice back."""
        facet = self.item(row)
        if not isinstance(facet, Facet):
            return
        if facet.value == ALL:
            self._library.filter.clear_facets()
        else:
            self._library.filter.choose(facet.section, None if self.is_chosen(facet) else facet.value)
