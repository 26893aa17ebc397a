"""The Agents pane: agents with their state, start and stop, and config files with errors."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QT_TRANSLATE_NOOP

from chimein_gui.ui.pane import Area, PaneSpec
from chimein_gui.ui.requests import ShowAgent
from chimein_gui.ui.widgets.rows.waiting_age import follow_age
from chimein_gui.viewmodels.panes.agents import make_activities

if TYPE_CHECKING:
    from collections.abc import Callable
    from datetime import datetime

    from chimein_gui.ui.pane import Pane, PaneContext


def _make(context: PaneContext) -> Pane:
    from chimein_gui.ui.panes.agents.pane import AgentsPane

    return AgentsPane(context)


def _badge(context: PaneContext, show: Callable[[int], None]) -> None:
    agents = context.models.agents
    agents.problems_changed.connect(lambda: show(len(agents.problems)))


def _oldest(context: PaneContext, show: Callable[[str, bool], None]) -> None:
    agents, clock = context.models.agents, context.models.clock
    seen: dict[str, datetime] = {}

    def since() -> datetime | None:
        """Return when the oldest problem was first seen here: a file does not say since when it is wrong."""
        now = {one.path: seen.get(one.path, clock.now()) for one in agents.problems}
        seen.clear()
        seen.update(now)
        return min(now.values(), default=None)

    agents.problems_changed.connect(since)
    follow_age(clock, since, agents.problems_changed, show, agents)


SPEC = PaneSpec(
    "agents",
    QT_TRANSLATE_NOOP("Panes", "Agents"),
    "agents",
    Area.RIGHT,
    "Ctrl+3",
    _make,
    models=make_activities,
    opens=(ShowAgent,),
    badge=_badge,
    oldest=_oldest,
)
