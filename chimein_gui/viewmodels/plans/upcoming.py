"""What happens next in all chats, kept in step with the engine while it is looked at."""

from __future__ import annotations

from time import perf_counter
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QTimer, Signal

from chimein_gui.domain import events as ev
from chimein_gui.viewmodels.core.live_query import LiveQuery
from chimein_gui.viewmodels.plans.upcoming_words import UpcomingView, upcoming_view

if TYPE_CHECKING:
    from collections.abc import Iterator
    from datetime import datetime

    from chimein_gui.domain.events import EngineEvent
    from chimein_gui.domain.plans.upcoming import UpcomingEntry
    from chimein_gui.engine.ports import Spawn
    from chimein_gui.viewmodels.core.bridge import EngineBridge
    from chimein_gui.viewmodels.core.clock import ClockFace
    from chimein_gui.viewmodels.engine_api.plans import UpcomingApi

AGAIN_MS = 300
"""Shortest pause between two reads while events come, in ms."""

REST = 9
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
        self._over_at: datetime | None = None
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
            is_same = before is not None and (before.entry is entry or before.entry == entry)
            self._prepared.append(before if before is not None and is_same else upcoming_view(entry, self.clock))

    def _install(self, _entries: tuple[UpcomingEntry, ...]) -> None:
        self._pause.setInterval(max(AGAIN_MS, round(REST * 1000 * (perf_counter() - self._began))))
        before, self.views = self.views, tuple(self._prepared)
        self._find_end()
        if self.views != before or not before:
            self.changed.emit()

    def _apply(self, event: EngineEvent) -> None:
        self._stale |= not isinstance(event, _ELSEWHERE)

    def _settle(self) -> None:
        if self._stale and self._watched and not self._pause.isActive():
            self._pause.start()

    def _find_end(self) -> None:
        now = self.clock.now()
        due = [view.entry.continues_at(now) for view in self.views]
        self._over_at = min((one for one in due if one is not None and one > now), default=None)

    def _tick(self) -> None:
        """Read again when something is over without an event, such as a takeover."""
        if self._over_at is not None and self.clock.now() >= self._over_at:
            self._stale = True
            self._find_end()
            self._settle()
