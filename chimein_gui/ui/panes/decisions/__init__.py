"""The Decisions pane: the decision log with who or which rule decided, and how often drafts were edited."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QT_TRANSLATE_NOOP

from chimein_gui.ui.pane import Area, Group, PaneSpec
from chimein_gui.ui.requests import ShowDecisions

if TYPE_CHECKING:
    from chimein_gui.ui.pane import Pane, PaneContext


def _make(context: PaneContext) -> Pane:
    from chimein_gui.ui.panes.decisions.pane import DecisionsPane

    return DecisionsPane(context)


SPEC = PaneSpec(
    "decisions",
    QT_TRANSLATE_NOOP("Panes", "Decisions"),
    "ticks",
    Area.RIGHT,
    "Ctrl+4",
    _make,
    on_demand=True,
    opens=(ShowDecisions,),
    group=Group.INSPECT,
)
