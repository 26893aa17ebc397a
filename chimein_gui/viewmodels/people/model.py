"""What is held about one person: a table, its export, and forgetting."""

from __future__ import annotations

from enum import IntEnum
from typing import TYPE_CHECKING

from PySide6.QtCore import QAbstractTableModel, QCoreApplication, QModelIndex, QObject, Qt, Signal

from chimein_gui.viewmodels.core.commands import GuardedJobs
from chimein_gui.viewmodels.core.roles import Index, ItemRole
from chimein_gui.viewmodels.core.sanitize import spoken
from chimein_gui.viewmodels.people.words import amount_words, effect_words, kind_words, place_words

if TYPE_CHECKING:
    from pathlib import Path

    from chimein_gui.domain.ids import PeerId
    from chimein_gui.domain.people.holdings import Held, PersonHoldings
    from chimein_gui.engine.ports import Spawn
    from chimein_gui.viewmodels.core.feed import Feed
    from chimein_gui.viewmodels.engine_api.people import PeopleApi, PeopleService

translate = QCoreApplication.translate


_IN_WORDS = (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.ToolTipRole, Qt.ItemDataRole.AccessibleTextRole)


class Column(IntEnum):
    """The columns of the table."""

    KIND = 0
    AMOUNT = 1
    PLACE = 2
    EFFECT = 3


class HoldingsTable(QAbstractTableModel):
    """One row a kind and place."""

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self.rows: tuple[Held, ...] = ()

    def show(self, rows: tuple[Held, ...]) -> None:
        """Show other rows."""
        self.beginResetModel()
        self.rows = rows
        self.endResetModel()

    def rowCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008 - Qt's own default
        return 0 if parent.isValid() else len(self.rows)

    def columnCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008 - Qt's own default
        return 0 if parent.isValid() else len(Column)

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        if orientation is not Qt.Orientation.Horizontal or role != Qt.ItemDataRole.DisplayRole:
            return None
        heads = {
            Column.KIND: translate("Person", "What"),
            Column.AMOUNT: translate("Person", "How much"),
            Column.PLACE: translate("Person", "Where"),
            Column.EFFECT: translate("Person", "When forgotten"),
        }
        return heads[Column(section)]

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        held = self.rows[index.row()] if index.isValid() else None
        if held is None or role == ItemRole:
            return held
        return self._words(held, Column(index.column())) if role in _IN_WORDS else None

    def _words(self, held: Held, column: Column) -> str:
        match column:
            case Column.KIND:
                return kind_words(held.kind)
            case Column.AMOUNT:
                return amount_words(held)
            case Column.PLACE:
                return spoken(place_words(held))
            case Column.EFFECT:
                return effect_words(held.effect)


class PersonModel(QObject):
    """One person at a time.

    Attributes:
        changed: The table, or what is going on.
        exported: The archive is complete; its path.
        forgotten: The person is forgotten.
        failed: Something was refused or failed; the reason in words.
        table: What is held.
        person: Whose page it is; None before the first one.
        holdings: What was found last; None while it is being looked up.
        exporting: How many portions of an export are written; None if there is none.
        forgetting: Whether the person is being forgotten.
    """

    changed = Signal()
    exported = Signal(object)
    forgotten = Signal()
    failed = Signal(str)

    def __init__(self, feed: Feed) -> None:
        super().__init__(feed.bridge)
        self._feed = feed
        self._api: PeopleService | None = None
        self._jobs = GuardedJobs(feed.bridge, self._fail)
        self._run = self._jobs.run
        self.table = HoldingsTable(self)
        self.person: PeerId | None = None
        self.holdings: PersonHoldings | None = None
        self.exporting: int | None = None
        self.forgetting = False

    def attach(self, api: PeopleApi, spawn: Spawn) -> None:
        """Keep the engine."""
        self._api, self._jobs.spawn = api.people, spawn

    def detach(self) -> None:
        """Ask no more."""
        self._api = self._jobs.spawn = None

    def look(self, person: PeerId) -> None:
        """Look up what is held about a person."""
        self.person, self.holdings = person, None
        self.table.show(())
        self.changed.emit()
        if self._api is not None:
            self._run(self._look(self._api, person), "look up a person")

    def export(self, target: Path) -> None:
        """Write all of it to a zip file."""
        if self._api is not None and self.person is not None and self.exporting is None:
            self.exporting = 0
            self.changed.emit()
            self._run(self._export(self._api, self.person, target), "export a person")

    def stop_export(self) -> None:
        """Stop the export; its file is removed."""
        if self._api is not None and self.exporting is not None:
            self._api.stop_export()

    def forget(self, *, never: bool = False) -> None:
        """Forget the person, and perhaps let no memories of them be proposed any more."""
        if self._api is not None and self.person is not None and not self.forgetting:
            self.forgetting = True
            self.changed.emit()
            self._run(self._forget(self._api, self.person, never=never), "forget a person")

    async def _look(self, api: PeopleService, person: PeerId) -> None:
        found = await api.look(person)
        self._feed.bridge.deliver(lambda: self._take(found))

    async def _export(self, api: PeopleService, person: PeerId, target: Path) -> None:
        deliver = self._feed.bridge.deliver
        is_whole = await api.export(person, target, lambda count: deliver(lambda: self._progress(count)))
        deliver(lambda: self._end_export(target if is_whole else None))

    async def _forget(self, api: PeopleService, person: PeerId, *, never: bool) -> None:
        await api.forget(person, never=never)
        self._feed.bridge.deliver(self._end_forgetting)

    def _take(self, found: PersonHoldings) -> None:
        if found.person == self.person:
            self.holdings = found
            self.table.show(found.held)
            self.changed.emit()

    def _progress(self, count: int) -> None:
        if self.exporting is not None:
            self.exporting = count
            self.changed.emit()

    def _end_export(self, target: Path | None) -> None:
        self.exporting = None
        self.changed.emit()
        if target is not None:
            self.exported.emit(target)

    def _end_forgetting(self) -> None:
        self.forgetting = False
        self.forgotten.emit()
        if self.person is not None:
            self.look(self.person)

    def _fail(self, words: str) -> None:
        self.exporting, self.forgetting = None, False
        self.changed.emit()
        self.failed.emit(words)


def make_person(feed: Feed) -> PersonModel:
    """Return the model, registered with the engine; for `WindowModels.own`."""
    model = PersonModel(feed)
    feed.register(model)
    return model
