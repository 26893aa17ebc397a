"""What happens next as one list in groups."""

from __future__ import annotations

from dataclasses import dataclass
from math import inf
from typing import TYPE_CHECKING

from chimein_gui.domain.plans.upcoming import UpcomingGroup
from chimein_gui.viewmodels.plans.headed_rows import HeadedRows, Row
from chimein_gui.viewmodels.plans.upcoming_words import group_words

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

    from PySide6.QtCore import QObject

    from chimein_gui.viewmodels.core.clock import ClockFace
    from chimein_gui.viewmodels.plans.upcoming import UpcomingModel
    from chimein_gui.viewmodels.plans.upcoming_words import UpcomingView


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

    def sentence(self, _clock: ClockFace) -> str:
        """Return the heading with its count, for screen readers."""
        return f"{group_words(self.group)}, {self.count}"


class UpcomingRows(HeadedRows):
    """Headings and entries: `GroupHead` and `UpcomingView`; only the latter can be chosen."""

    heads = GroupHead

    def __init__(self, upcoming: UpcomingModel, parent: QObject | None = None) -> None:
        super().__init__(upcoming.clock, parent)
        self._upcoming = upcoming
        self._regroups_at: datetime | None = None
        upcoming.changed.connect(self.regroup)
        upcoming.clock.ticked.connect(self._tick)
        self.regroup()

    def _tick(self) -> None:
        """Nothing changes its group before `_regroups_at`."""
        is_due = self._regroups_at is not None and self._clock.now() >= self._regroups_at
        if is_due and self._upcoming.is_watched:
            self.regroup()

    def regroup(self) -> None:
        """Put the entries into their groups by the present time."""
        now, views = self._clock.now(), self._upcoming.views
        times = [view.entry.regroups_at(now) for view in views]
        self._regroups_at = min((one for one in times if one is not None), default=None)
        self.arrange(_grouped(views, now))


def _grouped(views: Sequence[UpcomingView], now: datetime) -> list[Row]:
    """Return the rows. Within a group they stand by time, then by chat and step."""
    groups: dict[UpcomingGroup, list[Row]] = {group: [] for group in UpcomingGroup}
    ranks = {group: rank for rank, group in enumerate(UpcomingGroup)}
    chat, step = 0, 0
    for view in views:
        entry = view.entry
        chat, step = int(entry.chat_id), step + 1 if entry.chat_id == chat else 0
        due = entry.continues_at(now)
        if due is None and entry.asks and entry.approval is not None:
            due = entry.approval.created_at
        group = entry.group(now)
        groups[group].append(Row((ranks[group], inf if due is None else due.timestamp(), chat, step), view))
    rows: list[Row] = []
    for group, found in groups.items():
        if found:
            rows.append(Row((ranks[group], -inf, 0, 0), GroupHead(group, len(found))))
            rows += sorted(found, key=lambda row: row.order)
    return rows
