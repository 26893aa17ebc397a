"""The Agent files pane: edits the files of agents and prompts, as a form and as Markdown."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QT_TRANSLATE_NOOP

from chimein_gui.ui.pane import Area, Group, PaneSpec
from chimein_gui.ui.requests import OpenAgentSource
from chimein_gui.viewmodels.panes.sources import make_source_editor

if TYPE_CHECKING:
    from chimein_gui.ui.pane import Pane, PaneContext


def _make(context: PaneContext) -> Pane:
    from chimein_gui.ui.panes.sources.pane import SourcesPane

    return SourcesPane(context)


SPEC = PaneSpec(
    "sources",
    QT_TRANSLATE_NOOP("Panes", "Agent files"),
    "file",
    Area.RIGHT,
    "Ctrl+0",
    _make,
    on_demand=True,
    models=make_source_editor,
    opens=(OpenAgentSource,),
    group=Group.TOOLS,
)
