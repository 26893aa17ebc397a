"""Where the steps of a lane stand on the time line, and how each looks."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import TYPE_CHECKING

from chimein_gui.domain.plans.upcoming import Course
from chimein_gui.domain.tasks import TaskKind
from chimein_gui.ui.widgets.text import foreign_text

if TYPE_CHECKING:
    from PySide6.QtGui import QFontMetricsF

    from chimein_gui.viewmodels.core.clock import ClockFace
    from chimein_gui.viewmodels.plans.lanes import Lane
    from chimein_gui.viewmodels.plans.upcoming_words import UpcomingView

Span = tuple[float, float]

RANGES_S = (15 * 60, 2 * 3600, 24 * 3600)
"""The lengths of the time line that can be chosen, in seconds."""

BEFORE = 22.0
"""Room before now, px."""

LONGEST = 520.0
"""Greatest width of a label that is a sentence, px."""

MOST, GAP, ICON_ROOM, ICON_ONLY = 230.0, 6.0, 34.0, 26.0
"""Greatest width of a label, gap between two of them, what icon and margins take beside words, and alone, px."""


@dataclass(frozen=True, slots=True)
class Scale:
    """Where each time is.

    Attributes:
        left: Where the lanes begin, px from the leading edge.
        right: Where they end.
        range_s: The time that is shown, in seconds.
        now: Aware UTC.
    """

    left: float
    right: float
    range_s: int
    now: datetime

    @property
    def now_x(self) -> float:
        """Return the place of now, px."""
        return self.left + BEFORE

    def x_of(self, seconds: float) -> float:
        """Return the place of a time that is so many seconds after now, px."""
        return self.now_x + seconds * (self.right - self.now_x) / self.range_s

    def at(self, when: datetime) -> float:
        """Return the place of a time, px, not before the lanes begin."""
        return max(self.left, self.x_of((when - self.now).total_seconds()))


@dataclass(frozen=True, slots=True)
class Look:
    """The colours of a label, as tokens; an empty one is not painted.

    Attributes:
        ink: Icon and text.
        ground: Ground.
        line: Outline.
        is_dashed: The outline is dashed: it happens only if the operator decides.
    """

    ink: str
    ground: str = ""
    line: str = ""
    is_dashed: bool = False


@dataclass(frozen=True, slots=True)
class Block:
    """One step on a lane.

    Attributes:
        view: The entry.
        left, width: Its label, px.
        words: What the label says, safe to show.
        icon: The icon in it.
        look: Its colours.
        waits: From where to where it waits before, px; None for nothing.
        types: From where to where it types; or None.
        hatched: From where to where Telegram's wait lasts, px; or None.
    """

    view: UpcomingView
    left: float
    width: float
    words: str
    icon: str
    look: Look
    waits: Span | None = None
    types: Span | None = None
    hatched: Span | None = None


_LOOKS = {
    Course.STOPPED: Look("text2"),
    Course.RUNS: Look("info", "info_soft", "info"),
    Course.IF_DECIDED: Look("text2", "", "line_strong", is_dashed=True),
    Course.TELEGRAM: Look("info", "pane", "info"),
    Course.BY_ITSELF: Look("on_accent", "accent"),
}


def blocks_of(lane: Lane, scale: Scale, clock: ClockFace, metrics: QFontMetricsF) -> list[Block]:
    """Return the steps of a lane from the leading edge; labels stand one after the other where times are close."""
    blocks: list[Block] = []
    end = scale.now_x + 3 - GAP
    late = _late(lane, scale.now)
    for view in lane.views:
        entry = view.entry
        if late and entry.course is Course.IF_DECIDED:
            since, until = (one and one + late for one in (entry.since, entry.until))
            entry = replace(entry, since=since, until=until)
        is_beyond = entry.until is not None and (entry.until - scale.now).total_seconds() > scale.range_s
        words = _words(view, clock, is_beyond=is_beyond)
        is_sentence = entry.course is Course.STOPPED or entry.kind in {None, TaskKind.RECEIVED}
        most = LONGEST if is_sentence else MOST
        width = min(most, metrics.horizontalAdvance(words) + (ICON_ROOM if words else ICON_ONLY))
        leave = min(scale.at(entry.until), scale.right) if entry.until is not None else scale.now_x
        left = max(end + GAP, scale.right - width - 8 if is_beyond else leave + 3)
        width = max(ICON_ONLY, min(width, scale.right - left - 4))  # what does not fit is elided
        begin = min(scale.at(entry.since), leave) if entry.since is not None else leave
        types: Span | None = (max(scale.now_x, begin), min(leave, left))
        waits: Span | None = (max(end + GAP / 2, scale.now_x), min(begin, left))
        hatched = None
        if entry.course is Course.TELEGRAM:
            waits, types, hatched = None, None, (scale.now_x, leave)
        elif entry.kind in {TaskKind.WAIT, TaskKind.RECEIVED, None}:
            waits, types = (max(end + GAP / 2, scale.now_x), min(leave, left)), None
        is_signed = entry.course is Course.STOPPED or entry.asks or entry.counts_down
        icon = view.state_icon[0] if is_signed else view.icon
        blocks.append(Block(view, left, width, words, icon, _look(view), _shown(waits), _shown(types), hatched))
        end = left + width
    return blocks


def _late(lane: Lane, now: datetime) -> timedelta | None:
    """Return for how long a lane has waited for a decision since it was read; None if it does not.

    Its times say what happens if the operator decides now, so they move on with the clock.
    """
    asked_since = next((view.entry.since for view in lane.views if view.entry.asks), None)
    return now - asked_since if asked_since is not None and asked_since < now else None


def _shown(span: Span | None) -> Span | None:
    return span if span is not None and span[1] - span[0] >= 1.0 else None


def _words(view: UpcomingView, clock: ClockFace, *, is_beyond: bool) -> str:
    entry = view.entry
    text = foreign_text.isolate(foreign_text.line(view.text, 60)) if view.text else ""
    if entry.course is Course.STOPPED or (entry.kind in {None, TaskKind.RECEIVED}):
        words = foreign_text.line(view.state, 120)
    elif entry.asks or entry.course is Course.TELEGRAM:
        words = f"{foreign_text.line(view.state, 60)}: {text}" if text else view.state
    else:
        words = text or ("" if entry.kind is TaskKind.WAIT else view.what)
    is_plain = entry.kind in {None, TaskKind.RECEIVED} or not is_beyond
    return words if is_plain else f"{words} → {view.when(clock)}"


def _look(view: UpcomingView) -> Look:
    entry = view.entry
    if entry.asks or (entry.counts_down and entry.course is Course.BY_ITSELF):
        return Look("attention", "attention_soft", "attention_line")
    if view.is_broken:
        return Look("danger")
    if entry.course is Course.BY_ITSELF and entry.kind in {None, TaskKind.RECEIVED, TaskKind.WAIT}:
        return Look("info")
    return _LOOKS[entry.course]
