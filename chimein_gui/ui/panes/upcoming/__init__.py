"""The Next pane: what happens next in all chats, and why nothing has been said yet, as a list and as a time line."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QT_TRANSLATE_NOOP

from chimein_gui.ui.pane import Area, Group, PaneSpec

if TYPE_CHECKING:
    from chimein_gui.ui.pane import Pane, PaneContext
    from chimein_gui.viewmodels.window import WindowModels


def _make(context: PaneContext) -> Pane:
    from chimein_gui.ui.panes.upcoming.pane import UpcomingPane

    return UpcomingPane(context)


def _make_models(models: WindowModels) -> object:
    from chimein_gui.viewmodels.panes.upcoming import make_upcoming

    return models.own(make_upcoming)


SPEC = PaneSpec(
    "upcoming",
    QT_TRANSLATE_NOOP("Panes", "Next"),
    "timer",
    Area.RIGHT,
    "Ctrl+6",
    _make,
    on_demand=True,
    models=_make_models,
    group=Group.INSPECT,
)
