"""The Traces pane: how each plan came about, what it cost, and what became of it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QT_TRANSLATE_NOOP

from chimein_gui.ui.pane import Area, Group, PaneSpec
from chimein_gui.ui.requests import ShowTrace

if TYPE_CHECKING:
    from chimein_gui.ui.pane import Pane, PaneContext


def _make(context: PaneContext) -> Pane:
    from chimein_gui.ui.panes.traces.pane import TracesPane

    return TracesPane(context)


SPEC = PaneSpec(
    "traces",
    QT_TRANSLATE_NOOP("Panes", "Traces"),
    "traces",
    Area.RIGHT,
    "Ctrl+Shift+T",
    _make,
    on_demand=True,
    opens=(ShowTrace,),
    group=Group.INSPECT,
)
