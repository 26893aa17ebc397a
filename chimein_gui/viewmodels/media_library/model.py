"""All media that were met or have a description: read, filtered, grouped, and changed by the operator."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QTimer, Signal

from chimein_gui.domain.events import DescriptionsChanged
from chimein_gui.viewmodels.media_library.changes import MediaChanges
from chimein_gui.viewmodels.media_library.facets import NEEDS_LOOK, MediaFilter, Section, facets_of
from chimein_gui.viewmodels.media_library.groups import Order, groups_of, in_order
from chimein_gui.viewmodels.media_library.jobs import MediaJobs
from chimein_gui.viewmodels.media_library.requests import DescribeRequests
from chimein_gui.viewmodels.media_library.rows import GridRows

if TYPE_CHECKING:
    from chimein_gui.domain.events import EngineEvent
    from chimein_gui.domain.media.library import MediaEntry, MediaLibrary
    from chimein_gui.domain.media.records import MediaPlace, MediaRecord
    from chimein_gui.engine.ports import Spawn
    from chimein_gui.viewmodels.engine_api.media import MediaApi, MediaService
    from chimein_gui.viewmodels.media_library.facets import Facet
    from chimein_gui.viewmodels.window import WindowModels

LOOK_MS = 2_000
"""Time between two looks at the files while the pane is in sight."""


class MediaLibraryModel(QObject):
    """Reads files only while it is watched.

    Attributes:
        changed: Other files, other facets, or a problem.
        regrouped: Other rows are shown.
        entry_changed: A file changed; carries its id.
        selected_changed: Another file is selected, or the selected one changed.
        rows: The rows of the grid.
        filter: Which files are shown.
        changes: Makes the operator's changes.
        requests: Lets models describe, and lists sticker sets.
        entries: All files by their ids.
        facets: All facets.
        places: Directories for curated records.
        order: The order in each group.
        is_loaded: The files were read at least once.
        problem: Why something failed, in words; or empty.
    """

    changed = Signal()
    regrouped = Signal()
    entry_changed = Signal(str)
    selected_changed = Signal()

    def __init__(self, models: WindowModels) -> None:
        super().__init__(models)
        self._jobs = MediaJobs(models.bridge, self)
        self.changes, self.requests = MediaChanges(self._jobs, self), DescribeRequests(self._jobs, self)
        self.requests.made.connect(self._take_change)
        self.rows, self.filter = GridRows(self), MediaFilter(self)
        self.entries: dict[str, MediaEntry] = {}
        self.facets: dict[Section, tuple[Facet, ...]] = {}
        self.places: tuple[MediaPlace, ...] = ()
        self.order = Order.USES
        self._ordered: list[MediaEntry] = []
        self.is_loaded = False
        self.problem = ""
        self._version = -1
        self._selected = ""
        self._watchers, self._is_reading = 0, False
        self._look = QTimer(self)
        self._look.setInterval(LOOK_MS)
        self._look.timeout.connect(self.refresh)
        models.bridge.batch_ready.connect(self._receive)
        self._jobs.failed.connect(self._fail)
        self.filter.changed.connect(self._filter)
        self.changes.made.connect(self._take_change)
        self.changes.recorded.connect(self._take_record)

    # --- the engine -----------------------------------------------------------------------------------------------

    def attach(self, api: MediaApi, spawn: Spawn) -> None:
        """Read what is looked at."""
        self._jobs.attach(api, spawn)
        self.refresh()

    def detach(self) -> None:
        """Stop reading."""
        self._look.stop()
        self._jobs.attach(None, None)

    def watch(self, *, watched: bool) -> None:
        """Follow the files, or no longer: a pane or a dialog came into sight, or left it."""
        self._watchers = max(0, self._watchers + (1 if watched else -1))
        if watched:
            self._look.start()
            self.refresh()
        elif not self._watchers:
            self._look.stop()

    def refresh(self) -> None:
        """Read again."""
        if self._jobs.api is not None and self._watchers and not self._is_reading:
            self._is_reading = True
            self._jobs.run(self._read(self._jobs.api, self._version), "read media")

    async def _read(self, api: MediaService, known: int) -> None:
        library = await api.load(known)
        self._jobs.deliver(self.requests.look_at_budget)
        self._jobs.deliver(lambda: self._take(library))

    def _take(self, library: MediaLibrary | None) -> None:
        self._is_reading = False
        if library is None:
            return
        before, self.entries = self.entries, {entry.unique_id: entry for entry in library.entries}
        self.places, self._version = library.places, library.version
        self.is_loaded = True
        self.facets = facets_of(library.entries)
        self._ordered = in_order(library.entries, self.order)
        shown = self.rows.order()
        stay = {one for one in shown if one in self.entries}
        now = {entry.unique_id for entry in self.filter.fitting(self._ordered)} | stay
        if now != set(shown):
            self._regroup(now)
        else:
            for unique_id in shown:
                if self.entries[unique_id] is not before.get(unique_id):
                    self.rows.update(self.entries[unique_id])
        for unique_id, entry in self.entries.items():
            if before and entry is not before.get(unique_id):
                self.entry_changed.emit(unique_id)
        self.changed.emit()
        self.selected_changed.emit()

    def _receive(self, events: tuple[EngineEvent, ...]) -> None:
        if DescriptionsChanged in map(type, events):
            self.refresh()

    def _fail(self, words: str) -> None:
        self.problem, self._is_reading = words, False
        self.changed.emit()

    def _take_change(self, unique_id: str) -> None:
        self.problem, self._is_reading = "", False
        self.refresh()

    def _take_record(self, record: MediaRecord) -> None:
        """Show a description at once; the files are read after that."""
        entry = self.entries.get(record.unique_id)
        if entry is not None:
            others = tuple(one for one in entry.curated if one.place != record.place)
            self.entries[record.unique_id] = replace(entry, curated=(record, *others))
            self._ordered[self._ordered.index(entry)] = self.entries[record.unique_id]
            self.rows.update(self.entries[record.unique_id])
            self.entry_changed.emit(record.unique_id)
            self.selected_changed.emit()

    # --- what is shown --------------------------------------------------------------------------------------------

    def _filter(self) -> None:
        self._regroup()
        self.changed.emit()

    def set_order(self, order: Order) -> None:
        """Sort the groups anew."""
        self.order = order
        self._ordered = in_order(self.entries.values(), order)
        self._regroup()

    def _regroup(self, ids: set[str] | None = None) -> None:
        """Show the files that fit, or those with the ids."""
        ordered = self._ordered
        entries = self.filter.fitting(ordered) if ids is None else [one for one in ordered if one.unique_id in ids]
        self.rows.show(groups_of(entries), self.entries)
        self.regrouped.emit()

    # --- the selected file ----------------------------------------------------------------------------------------

    @property
    def selected(self) -> MediaEntry | None:
        """The selected file."""
        return self.entries.get(self._selected)

    def select(self, unique_id: str) -> None:
        """Select a file."""
        if unique_id != self._selected:
            self._selected = unique_id
            self.selected_changed.emit()

    def next_to_look_at(self, unique_id: str) -> str:
        """Return the next file, in the order of the grid, whose description the operator has not written; or ""."""
        order = self.rows.order()
        start = order.index(unique_id) + 1 if unique_id in order else 0
        for one in order[start:] + order[:start]:
            if one != unique_id and self.entries[one].needs_look:
                return one
        return ""

    @property
    def looks_left(self) -> int:
        """How many files need a look."""
        return next((one.count for one in self.facets.get(Section.STATUS, ()) if one.value == NEEDS_LOOK), 0)


def make_media_library(models: WindowModels) -> MediaLibraryModel:
    """Return the model, registered with the engine; for `PaneContext.own`."""
    return models.register(MediaLibraryModel(models))
