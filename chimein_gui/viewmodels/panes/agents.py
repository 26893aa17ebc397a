"""The model that the Agents pane alone uses."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from chimein_gui.viewmodels.accounts.activities import AgentActivities
    from chimein_gui.viewmodels.window import WindowModels


def make_activities(models: WindowModels) -> AgentActivities:
    """Make what the pane tells of each agent, also to a screen reader."""
    # The shell names the maker before the first paint, and calls it after that.
    from chimein_gui.viewmodels.accounts.activities import AgentActivities

    made = AgentActivities(models.bridge, models.chats, models.holds, models.clock, models.approvals, models)
    models.agents.activity_of = lambda agent: made.of(agent).words
    return made
