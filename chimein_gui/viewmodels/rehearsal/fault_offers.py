"""The catalogue of faults, grouped under headings and narrowed by a search."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QAbstractListModel, QModelIndex, QObject, Qt

from chimein_gui.sandbox_api import FaultOffer
from chimein_gui.viewmodels.core.roles import Index, ItemRole, KeyRole
from chimein_gui.viewmodels.core.sanitize import spoken
from chimein_gui.viewmodels.rehearsal.fault_words import FaultGroup, group_of, group_words

if TYPE_CHECKING:
    from chimein_gui.viewmodels.rehearsal.rehearsal import RehearsalModel


class FaultOfferModel(QAbstractListModel):
    """Rows are a `FaultGroup` (a heading, which cannot be chosen) or a `FaultOffer`."""

    def __init__(self, rehearsal: RehearsalModel, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._rehearsal = rehearsal
        self._search = ""
        self._rows: list[FaultGroup | FaultOffer] = []
        rehearsal.cast_changed.connect(self._fill)
        self._fill()

    def search(self, words: str) -> None:
        """Show the offers that contain all these words."""
        self._search = words
        self._fill()

    def row_at(self, row: int) -> FaultGroup | FaultOffer | None:
        """Return a row; None if there is none."""
        return self._rows[row] if 0 <= row < len(self._rows) else None

    def index_of(self, name: str) -> QModelIndex:
        """Return the index of an offer; invalid when it is not listed."""
        for row, item in enumerate(self._rows):
            if isinstance(item, FaultOffer) and item.name == name:
                return self.index(row, 0)
        return QModelIndex()

    def first_offer(self) -> QModelIndex:
        """Return the index of the first offer; invalid if there is none."""
        row = next((row for row, item in enumerate(self._rows) if isinstance(item, FaultOffer)), -1)
        return self.index(row, 0) if row >= 0 else QModelIndex()

    def _fill(self) -> None:
        wanted = self._search.casefold().split()
        found = [offer for offer in self._rehearsal.cast.faults if _holds(offer, wanted)]
        self.beginResetModel()
        self._rows = []
        for group in FaultGroup:
            offers = [offer for offer in found if group_of(offer.rule.kind) is group]
            self._rows += [group, *offers] if offers else []
        self.endResetModel()

    # --- Qt -------------------------------------------------------------------------------------------------------

    def rowCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008 - Qt's own default
        return 0 if parent.isValid() else len(self._rows)

    def flags(self, index: Index) -> Qt.ItemFlag:
        if isinstance(self.row_at(index.row()), FaultOffer):
            return Qt.ItemFlag.ItemIsEnabled | Qt.ItemFlag.ItemIsSelectable | Qt.ItemFlag.ItemNeverHasChildren
        return Qt.ItemFlag.ItemNeverHasChildren

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        item = self.row_at(index.row()) if index.isValid() else None
        if item is None:
            return None
        if role == ItemRole:
            return item
        if role == KeyRole:
            return item.name if isinstance(item, FaultOffer) else item.value
        if role in (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.AccessibleTextRole):
            if isinstance(item, FaultOffer):
                return f"{spoken(item.title)}, {spoken(item.summary)}"
            return group_words(item)
        return None


def _holds(offer: FaultOffer, wanted: list[str]) -> bool:
    group = group_words(group_of(offer.rule.kind))
    text = f"{offer.title} {offer.summary} {offer.name} {offer.rule.kind} {offer.rule.message} {group}".casefold()
    return all(word in text for word in wanted)
