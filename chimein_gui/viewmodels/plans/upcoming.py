"""What happens next in all chats, kept in step with the engine while it is looked at, as one list in groups."""

from __future__ import annotations

from dataclasses import dataclass
from time import perf_counter
from typing import TYPE_CHECKING

from PySide6.QtCore import QAbstractListModel, QModelIndex, QObject, Qt, QTimer, Signal

from chimein_gui.domain import events as ev
from chimein_gui.domain.plans.upcoming import UpcomingGroup
from chimein_gui.viewmodels.core.live_query import LiveQuery
from chimein_gui.viewmodels.core.roles import Index, ItemRole, KeyRole
from chimein_gui.viewmodels.plans.upcoming_words import UpcomingView, group_words, upcoming_view

if TYPE_CHECKING:
    from collections.abc import Iterator
    from datetime import datetime

    from chimein_gui.domain.events import EngineEvent
    from chimein_gui.domain.ids import ChatId, TaskId
    from chimein_gui.domain.plans.upcoming import UpcomingEntry
    from chimein_gui.engine.ports import Spawn
    from chimein_gui.viewmodels.core.bridge import EngineBridge
    from chimein_gui.viewmodels.core.clock import ClockFace
    from chimein_gui.viewmodels.engine_api.plans import UpcomingApi

AGAIN_MS = 300
"""Shortest pause between two reads while events come, in ms."""

REST = 4
"""Shortest pause after a read, as a multiple of its duration."""

PORTION = 100
"""Entries that are put into words in one turn of the loop."""

_ELSEWHERE = (
    ev.PartnerTyping,
    ev.UploadAdvanced,
    ev.ModelCallBooked,
    ev.Remembered,
    ev.LoginChanged,
    ev.FileProblemsChanged,
    ev.FaultReported,
    ev.SavedEditsChanged,
    ev.VariantStored,
    ev.MessageStored,  # a message that matters changes its chat's row or its steps too
)
"""Events that change nothing here."""


class UpcomingModel(QObject):
    """Reads what happens next again after events, as long as it is looked at.

    Attributes:
        changed: Entries came, went or changed.
        failed: They could not be read; the reason in words.
        clock: Tells the time of the countdowns.
        views: The entries in the engine's order: by chat, then by step.
    """

    changed = Signal()
    failed = Signal(str)

    def __init__(self, bridge: EngineBridge, clock: ClockFace, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._api: UpcomingApi | None = None
        self._spawn: Spawn | None = None
        self._watched, self._stale = False, True
        self._looked_at = clock.now()
        self._prepared: list[UpcomingView] = []
        self._began = 0.0
        self.clock = clock
        self.views: tuple[UpcomingView, ...] = ()
        self._live = LiveQuery(bridge, self._apply, self, self._settle)
        self._live.failed.connect(self.failed)
        self._pause = QTimer(self)
        self._pause.setSingleShot(True)
        self._pause.setInterval(AGAIN_MS)
        self._pause.timeout.connect(self._read)
        clock.ticked.connect(self._tick)

    def attach(self, api: UpcomingApi, spawn: Spawn) -> None:
        """Read if it is looked at already."""
        self._api, self._spawn, self._stale = api, spawn, True
        self._read()

    def detach(self) -> None:
        """Stop reading."""
        self._live.forget()
        self._pause.stop()
        self._api = self._spawn = None

    @property
    def is_watched(self) -> bool:
        """Whether it is kept in step."""
        return self._watched

    def watch(self, *, watched: bool) -> None:
        """Begin or end keeping it in step: nothing is read while nobody looks."""
        self._watched = watched
        if watched and not self._pause.isActive():
            self._stale = True
            self._read()

    def _read(self) -> None:
        api, spawn = self._api, self._spawn
        if api is not None and spawn is not None and self._watched and self._stale:
            self._stale, self._began = False, perf_counter()
            load = api.upcoming.load
            self._live.fetch(spawn, load, self._install, name="load what happens next", prepare=self._prepare)

    def _prepare(self, entries: tuple[UpcomingEntry, ...]) -> Iterator[None]:
        """Put the entries into words, some in each turn; those that have not changed keep theirs."""
        known = {view.key: view for view in self.views}
        self._prepared = []
        for place, entry in enumerate(entries):
            if place % PORTION == PORTION - 1:
                yield
            before = known.get((entry.chat_id, entry.task_id))
            is_same = before is not None and before.entry == entry
            self._prepared.append(before if before is not None and is_same else upcoming_view(entry, self.clock))

    def _install(self, _entries: tuple[UpcomingEntry, ...]) -> None:
        self._pause.setInterval(max(AGAIN_MS, round(REST * 1000 * (perf_counter() - self._began))))
        before, self.views = self.views, tuple(self._prepared)
        if self.views != before or not before:
            self.changed.emit()

    def _apply(self, event: EngineEvent) -> None:
        self._stale |= not isinstance(event, _ELSEWHERE)

    def _settle(self) -> None:
        if self._stale and self._watched and not self._pause.isActive():
            self._pause.start()

    def _tick(self) -> None:
        """Read again when something is over without an event, such as a takeover."""
        before, self._looked_at = self._looked_at, self.clock.now()
        due = (view.entry.continues_at(before) for view in self.views)
        if any(one is not None and before < one <= self._looked_at for one in due):
            self._stale = True
            self._settle()


@dataclass(frozen=True, slots=True)
class GroupHead:
    """The heading of a group.

    Attributes:
        group: The group.
        count: Its entries.
    """

    group: UpcomingGroup
    count: int

    @property
    def key(self) -> UpcomingGroup:
        """Return what identifies the row."""
        return self.group


class UpcomingRows(QAbstractListModel):
    """Headings and entries. `ItemRole` is a `GroupHead` or an `UpcomingView`; only the latter can be chosen."""

    def __init__(self, upcoming: UpcomingModel, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._upcoming = upcoming
        self._rows: tuple[GroupHead | UpcomingView, ...] = ()
        upcoming.changed.connect(self.regroup)
        upcoming.clock.ticked.connect(self._tick)
        self.regroup()

    def rowCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008 - Qt's own default
        return 0 if parent.isValid() else len(self._rows)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        if not index.isValid() or not 0 <= index.row() < len(self._rows):
            return None
        row = self._rows[index.row()]
        if role in {Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.AccessibleTextRole}:
            if isinstance(row, GroupHead):
                return f"{group_words(row.group)}, {row.count}"
            return row.sentence(self._upcoming.clock)
        if role == ItemRole:
            return row
        return row.key if role == KeyRole else None

    def flags(self, index: Index) -> Qt.ItemFlag:
        if index.isValid() and isinstance(self._rows[index.row()], GroupHead):
            return Qt.ItemFlag.ItemIsEnabled
        return super().flags(index)

    def row_of(self, key: tuple[ChatId, TaskId | None] | None) -> int:
        """Return the row of an entry, or -1."""
        return next((place for place, row in enumerate(self._rows) if row.key == key), -1)

    def _tick(self) -> None:
        if self._upcoming.is_watched:
            self.regroup()

    def regroup(self) -> None:
        """Put the entries into their groups by the present time."""
        rows = _grouped(self._upcoming.views, self._upcoming.clock.now())
        if [row.key for row in rows] != [row.key for row in self._rows]:
            self.beginResetModel()
            self._rows = rows
            self.endResetModel()
        elif rows != self._rows:
            before, self._rows = self._rows, rows
            for place, (old, new) in enumerate(zip(before, rows, strict=True)):
                if old != new:
                    self.dataChanged.emit(self.index(place), self.index(place))


def _grouped(views: tuple[UpcomingView, ...], now: datetime) -> tuple[GroupHead | UpcomingView, ...]:
    groups: dict[UpcomingGroup, list[tuple[float, int, UpcomingView]]] = {group: [] for group in UpcomingGroup}
    for place, view in enumerate(views):
        due = view.entry.continues_at(now)
        card = view.entry.approval
        if due is None and view.entry.asks and card is not None:
            due = card.created_at
        groups[view.entry.group(now)].append((due.timestamp() if due is not None else float("inf"), place, view))
    rows: list[GroupHead | UpcomingView] = []
    for group, found in groups.items():
        if found:
            rows.append(GroupHead(group, len(found)))
            rows += [view for _, _, view in sorted(found, key=lambda one: one[:2])]
    return tuple(rows)
