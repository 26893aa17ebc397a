"""The Rehearsal pane of the sandbox: scenarios, injected faults, and messages from simulated people."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QT_TRANSLATE_NOOP

from chimein_gui.ui.pane import Area, PaneSpec
from chimein_gui.ui.requests import ShowActiveFaults

if TYPE_CHECKING:
    from chimein_gui.ui.pane import Pane, PaneContext


def _make(context: PaneContext) -> Pane:
    from chimein_gui.ui.panes.rehearsal.pane import RehearsalPane

    return RehearsalPane(context)


SPEC = PaneSpec(
    "rehearsal",
    QT_TRANSLATE_NOOP("Panes", "Rehearsal"),
    "clapper",
    Area.RIGHT,
    "Ctrl+Shift+R",
    _make,
    opens=(ShowActiveFaults,),
)
