"""The Log pane: what the program wrote into its log, with what each line is about and what helps."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QT_TRANSLATE_NOOP

from chimein_gui.ui.pane import Area, Group, PaneSpec
from chimein_gui.ui.requests import ShowLog

if TYPE_CHECKING:
    from chimein_gui.ui.pane import Pane, PaneContext


def _make(context: PaneContext) -> Pane:
    from chimein_gui.ui.panes.log.pane import LogPane

    return LogPane(context)


SPEC = PaneSpec(
    "log",
    QT_TRANSLATE_NOOP("Panes", "Log"),
    "log",
    Area.RIGHT,
    "Ctrl+Shift+L",
    _make,
    on_demand=True,
    opens=(ShowLog,),
    group=Group.INSPECT,
)
