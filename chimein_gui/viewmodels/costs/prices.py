"""The price list as a table that can be edited; what is typed becomes the operator's own price, with today's date."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import TYPE_CHECKING

from PySide6.QtCore import QAbstractTableModel, QCoreApplication, QModelIndex, QObject, Qt

from chimein_gui.domain.costs import PRICES, Price
from chimein_gui.domain.settings.rules import own_prices
from chimein_gui.viewmodels.core.numbers import day_words, decimal_words, locale, short_words
from chimein_gui.viewmodels.core.sanitize import spoken

if TYPE_CHECKING:
    from datetime import date

    from chimein_gui.viewmodels.core.roles import Index
    from chimein_gui.viewmodels.window import WindowModels

translate = QCoreApplication.translate

MODEL, PROMPT, CACHED, REPLY, SINCE = range(5)
_FIELDS = frozenset({PROMPT, CACHED, REPLY})
_NEW = Price("", 0.0, 0.0)
"""The last row, for a model that the list does not know."""


class PriceTable(QAbstractTableModel):
    """The built-in list with the operator's own prices in their places, then further ones, then an empty row."""

    def __init__(self, models: WindowModels, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._models = models
        self.rows: tuple[Price, ...] = ()
        self._typed = _NEW
        models.preferences_model.changed.connect(self.refresh)
        self.refresh()

    def heads(self) -> tuple[str, ...]:
        """Return the heads of the columns."""
        return (
            self.tr("Model"),
            self.tr("Prompt"),
            self.tr("Cached"),
            self.tr("Reply and thinking"),
            self.tr("Since"),
        )

    def refresh(self) -> None:
        """Read the price list."""
        own = own_prices(self._models.preferences.prices)
        of_model = {price.model: price for price in reversed(own)}
        built_in = {price.model for price in PRICES}
        more = (price for price in reversed(own) if price.model not in built_in)  # the newest stands at the end
        rows = (*(of_model.get(price.model, price) for price in PRICES), *more, self._typed)
        if rows == self.rows:
            return
        if [price.model for price in rows] == [price.model for price in self.rows]:
            self.rows = rows  # who types the prices of a model one after the other stays at its row
            self.dataChanged.emit(self.index(0, 0), self.index(len(rows) - 1, SINCE))
            return
        self.beginResetModel()
        self.rows = rows
        self.endResetModel()

    def row_for(self, model: str) -> int:
        """Return the row of a model; one that the list does not know is named in the last row, to be given a price."""
        place = next((row for row, price in enumerate(self.rows[:-1]) if price.model == model), None)
        if place is not None:
            return place
        self._typed = replace(_NEW, model=model)
        self.refresh()
        return len(self.rows) - 1

    def forget_typed(self) -> None:
        """Offer the last row for any model again."""
        self._typed = _NEW
        self.refresh()

    def rowCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008 - Qt's own default
        return 0 if parent.isValid() else len(self.rows)

    def columnCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008 - Qt's own default
        return 0 if parent.isValid() else SINCE + 1

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        if orientation is Qt.Orientation.Horizontal and role == Qt.ItemDataRole.DisplayRole:
            return self.heads()[section]
        if orientation is Qt.Orientation.Horizontal and role == Qt.ItemDataRole.TextAlignmentRole:
            side = Qt.AlignmentFlag.AlignRight if section in _FIELDS else Qt.AlignmentFlag.AlignLeft
            return side | Qt.AlignmentFlag.AlignVCenter
        return None

    def flags(self, index: Index) -> Qt.ItemFlag:
        flags = Qt.ItemFlag.ItemIsEnabled | Qt.ItemFlag.ItemIsSelectable
        is_new = index.row() == len(self.rows) - 1
        can_edit = index.column() in _FIELDS or (index.column() == MODEL and is_new)
        return flags | Qt.ItemFlag.ItemIsEditable if can_edit else flags

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        if not index.isValid():
            return None
        words = self._words(self.rows[index.row()], index.column(), is_new=index.row() == len(self.rows) - 1)
        if role == Qt.ItemDataRole.EditRole:
            return "" if index.row() == len(self.rows) - 1 and index.column() == MODEL else words
        if role == Qt.ItemDataRole.DisplayRole:
            return words
        if role == Qt.ItemDataRole.AccessibleTextRole:
            return f"{self.heads()[index.column()]}: {spoken(words)}"
        if role == Qt.ItemDataRole.TextAlignmentRole and index.column() in _FIELDS:
            return Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
        return None

    def setData(self, index: Index, value: object, role: int = Qt.ItemDataRole.EditRole) -> bool:
        if role != Qt.ItemDataRole.EditRole:
            return False
        row = self.rows[index.row()]
        if index.column() == MODEL:
            changed = replace(row, model=str(value).strip().removeprefix("models/"))
        else:
            number = _number(str(value))
            if number is None:
                return False
            changed = _with_number(row, index.column(), number)
        if changed == row:
            return False
        if not changed.model:
            self._typed = changed
            self.refresh()
            return True
        self._typed = _NEW
        self._put(row.model, replace(changed, since=self._today()))
        return True

    def remove(self, row: int) -> None:
        """Remove the operator's own price of a row; a built-in one of the same model holds again."""
        own = own_prices(self._models.preferences.prices)
        kept = tuple(price for price in own if price.model != self.rows[row].model)
        if len(kept) != len(own):
            self._models.preferences_model.set_prices(kept)

    def is_own(self, row: int) -> bool:
        """Return whether the price of a row is the operator's own."""
        own = {price.model for price in own_prices(self._models.preferences.prices)}
        return 0 <= row < len(self.rows) - 1 and self.rows[row].model in own

    def _put(self, before: str, price: Price) -> None:
        own = own_prices(self._models.preferences.prices)
        kept = tuple(one for one in own if one.model not in {before, price.model})
        self._models.preferences_model.set_prices((price, *kept))

    def _today(self) -> date:
        return self._models.clock.now().astimezone().date()

    def _words(self, price: Price, column: int, *, is_new: bool) -> str:
        match column:
            case 0:
                return price.model or (self.tr("Add a model…") if is_new else "")
            case 1:
                return "" if is_new and not price.prompt else _shown(price.prompt)
            case 2:
                return self.tr("as prompt") if price.cached is None and not is_new else _shown(price.cached)
            case 3:
                return "" if is_new and not price.reply else _shown(price.reply)
            case _:
                if is_new:
                    return ""
                return day_words(price.since, with_year=True) if price.since else self.tr("built in")


def _with_number(price: Price, column: int, number: float) -> Price:
    if column == CACHED:
        return replace(price, cached=number)
    return replace(price, prompt=number) if column == PROMPT else replace(price, reply=number)


def _shown(number: float | None) -> str:
    """Return a price with two decimals, or with more where it has more."""
    if number is None:
        return ""
    cents = decimal_words(number, 2)
    return cents if round(number, 2) == number else short_words(number)


def _number(typed: str) -> float | None:
    """Return a price that was typed in the window's language or with a point; None if it is none."""
    number, ok = locale().toDouble(typed.strip().lstrip("$"))
    if not ok:
        try:
            number = float(typed.strip().lstrip("$"))
        except ValueError:
            return None
    return number if math.isfinite(number) and 0 <= number < 1e9 else None


def make_prices(models: WindowModels) -> PriceTable:
    """Return the table."""
    return PriceTable(models, models)
