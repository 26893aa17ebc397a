"""The Costs pane: what calls cost, by whom and for what, with the caps on it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QT_TRANSLATE_NOOP

from chimein_gui.ui.pane import Area, Group, PaneSpec
from chimein_gui.ui.requests import ShowCosts

if TYPE_CHECKING:
    from chimein_gui.ui.pane import Pane, PaneContext


def _make(context: PaneContext) -> Pane:
    from chimein_gui.ui.panes.costs.pane import CostsPane

    return CostsPane(context)


SPEC = PaneSpec(
    "costs",
    QT_TRANSLATE_NOOP("Panes", "Costs"),
    "coins",
    Area.RIGHT,
    "Ctrl+Shift+C",
    _make,
    on_demand=True,
    opens=(ShowCosts,),
    group=Group.INSPECT,
)
