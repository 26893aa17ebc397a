"""The panes, as a list. To add one: one folder in ui/panes with a SPEC, one line here.

A pane of the sandbox alone goes into `panes_of`; a live run does not even import it.
"""

from __future__ import annotations

from chimein_gui.ui.panes import agents, approvals, conversations
from chimein_gui.ui.widgets.pane import PaneSpec

PANES: tuple[PaneSpec, ...] = (
    conversations.SPEC,
    approvals.SPEC,
    agents.SPEC,
)


def panes_of(*, is_sandbox: bool) -> tuple[PaneSpec, ...]:
    """Return the panes of a run: those of every run, then those of the sandbox alone."""
    if not is_sandbox:
        return PANES
    from chimein_gui.ui.panes import rehearsal

    return (*PANES, rehearsal.SPEC)
