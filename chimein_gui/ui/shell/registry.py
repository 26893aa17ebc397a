"""The panes, as a list. To add one: one folder in ui/panes with a SPEC, one line here."""

from __future__ import annotations

from chimein_gui.ui.panes import agents, approvals, conversations
from chimein_gui.ui.widgets.pane import PaneSpec

PANES: tuple[PaneSpec, ...] = (
    conversations.SPEC,
    approvals.SPEC,
    agents.SPEC,
)
