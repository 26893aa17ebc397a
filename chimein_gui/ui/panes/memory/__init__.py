"""The Memory pane: what agents remember, and what the operator has noted for them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QT_TRANSLATE_NOOP

from chimein_gui.ui.pane import Area, Group, PaneSpec

if TYPE_CHECKING:
    from chimein_gui.ui.pane import Pane, PaneContext


def _make(context: PaneContext) -> Pane:
    from chimein_gui.ui.panes.memory.pane import MemoryPane

    return MemoryPane(context)


SPEC = PaneSpec(
    "memory",
    QT_TRANSLATE_NOOP("Panes", "Memory"),
    "memory",
    Area.RIGHT,
    "Ctrl+9",
    _make,
    on_demand=True,
    group=Group.TOOLS,
)
