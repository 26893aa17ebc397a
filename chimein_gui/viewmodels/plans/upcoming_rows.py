"""What happens next as one list in groups."""

from __future__ import annotations

from dataclasses import dataclass
from math import inf
from typing import TYPE_CHECKING

from chimein_gui.domain.plans.upcoming import UpcomingGroup
from chimein_gui.viewmodels.plans.headed_rows import HeadedRows, Row
from chimein_gui.viewmodels.plans.upcoming_words import group_words

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from datetime import datetime

    from PySide6.QtCore import QObject

    from chimein_gui.viewmodels.core.clock import ClockFace
    from chimein_gui.viewmodels.plans.upcoming import UpcomingModel
    from chimein_gui.viewmodels.plans.upcoming_words import UpcomingView


_BEFORE_ALL = 1e11
"""Seconds that put a countdown before what asks without a time: it is the last moment to stop it."""


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
        self._waiting: dict[int, Row] = {}
        """What only an event moves, by the identity of its view, which the row keeps."""
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
        self.arrange(self._grouped(self._upcoming.views, self._clock.now()))

    def _grouped(self, views: Sequence[UpcomingView], now: datetime) -> list[Row]:
        """Return the rows. Within a group they stand by time, then by chat and step.

        What waits for the operator stands where it did: there may be thousands of such entries.
        """
        groups: dict[UpcomingGroup, list[Row]] = {group: [] for group in UpcomingGroup}
        ranks = {group: rank for rank, group in enumerate(UpcomingGroup)}
        needing, known, self._waiting = groups[UpcomingGroup.NEEDS_YOU], self._waiting, {}
        times: list[datetime | None] = []
        chat, step = 0, 0
        for view in views:
            entry = view.entry
            chat, step = int(entry.chat_id), step + 1 if entry.chat_id == chat else 0
            same = known.get(id(view))
            if same is not None and same.order[-1] == step:
                self._waiting[id(view)] = same
                needing.append(same)
                continue
            due, group = entry.continues_at(now), entry.group(now)
            times.append(entry.regroups_at(now))
            is_kept = group is UpcomingGroup.NEEDS_YOU and times[-1] is None
            if due is None and entry.asks and entry.approval is not None:
                due = entry.approval.created_at
            at = inf if due is None else due.timestamp()
            at = at - _BEFORE_ALL if entry.counts_down and due is not None else at
            row = Row((ranks[group], at, chat, step), view)
            groups[group].append(row)
            if is_kept:
                self._waiting[id(view)] = row
        self._regroups_at = min((one for one in times if one is not None), default=None)
        return _under_heads(groups, ranks)


def _under_heads(groups: Mapping[UpcomingGroup, list[Row]], ranks: Mapping[UpcomingGroup, int]) -> list[Row]:
    rows: list[Row] = []
    for group, found in groups.items():
        if found:
            rows.append(Row((ranks[group], -inf, 0, 0), GroupHead(group, len(found))))
            rows += sorted(found, key=lambda row: row.order)
    return rows
