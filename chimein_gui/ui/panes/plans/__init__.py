"""The Plans pane: what the agent of the chat in sight is about to do, step by step."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QT_TRANSLATE_NOOP

from chimein_gui.ui.pane import Area, PaneSpec
from chimein_gui.ui.requests import ShowPlan

if TYPE_CHECKING:
    from chimein_gui.ui.pane import Pane, PaneContext
    from chimein_gui.viewmodels.window import WindowModels


def _make(context: PaneContext) -> Pane:
    from chimein_gui.ui.panes.plans.pane import PlansPane

    return PlansPane(context)


def _make_models(models: WindowModels) -> object:
    from chimein_gui.viewmodels.panes.plans import make_plans

    return models.own(make_plans)


SPEC = PaneSpec(
    "plans",
    QT_TRANSLATE_NOOP("Panes", "Plans"),
    "layers",
    Area.BOTTOM,
    "Ctrl+5",
    _make,
    on_demand=True,
    models=_make_models,
    opens=(ShowPlan,),
)
