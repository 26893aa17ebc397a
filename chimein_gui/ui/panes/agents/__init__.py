"""The Agents pane: agents with their state, start and stop, and config files with errors."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QT_TRANSLATE_NOOP

from chimein_gui.ui.pane import Area, PaneSpec
from chimein_gui.ui.requests import ShowAgent
from chimein_gui.viewmodels.panes.agents import make_activities

if TYPE_CHECKING:
    from collections.abc import Callable

    from chimein_gui.ui.pane import Pane, PaneContext


def _make(context: PaneContext) -> Pane:
    from chimein_gui.ui.panes.agents.pane import AgentsPane

    return AgentsPane(context)


def _badge(context: PaneContext, show: Callable[[int], None]) -> None:
    agents = context.models.agents
    agents.problems_changed.connect(lambda: show(len(agents.problems)))


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
)
