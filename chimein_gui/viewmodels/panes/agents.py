"""The model that only the Agents pane uses."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from chimein_gui.viewmodels.accounts.activities import AgentActivities
    from chimein_gui.viewmodels.window import WindowModels


def make_activities(models: WindowModels) -> AgentActivities:
    """Return the agents' activities, and let the agent list use them in its sentences for screen readers."""
    # Imported late: the shell refers to this function before the first paint, and calls it after that.
    from chimein_gui.viewmodels.accounts.activities import AgentActivities

    made = AgentActivities(models.bridge, models.chats, models.holds, models.clock, models.approvals, models)
    models.agents.activity_of = lambda agent: made.of(agent).words
    return made
