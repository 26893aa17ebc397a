"""The Context pane: which messages of the chat in sight a plan took, and why."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QT_TRANSLATE_NOOP

from chimein_gui.ui.pane import Area, Group, PaneSpec
from chimein_gui.ui.requests import ShowContext

if TYPE_CHECKING:
    from chimein_gui.ui.pane import Pane, PaneContext
    from chimein_gui.viewmodels.window import WindowModels


def _make(context: PaneContext) -> Pane:
    from chimein_gui.ui.panes.context.pane import ContextPane

    return ContextPane(context)


def _make_models(models: WindowModels) -> object:
    from chimein_gui.viewmodels.context import make_context

    return models.own(make_context)


SPEC = PaneSpec(
    "context",
    QT_TRANSLATE_NOOP("Panes", "Context"),
    "context",
    Area.RIGHT,
    "Ctrl+7",
    _make,
    on_demand=True,
    models=_make_models,
    opens=(ShowContext,),
    group=Group.INSPECT,
)
