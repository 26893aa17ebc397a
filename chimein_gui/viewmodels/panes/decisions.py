"""The models of the Decisions pane."""

from __future__ import annotations

from typing import TYPE_CHECKING

from chimein_gui.viewmodels.decisions.commands import LogExport, RuleCommands
from chimein_gui.viewmodels.decisions.log import DecisionLogModel

if TYPE_CHECKING:
    from chimein_gui.viewmodels.core.feed import Feed


class Decisions:
    """The pane's models, each registered with the engine."""

    def __init__(self, feed: Feed) -> None:
        self.log = DecisionLogModel(feed, feed.bridge)
        self.rules = RuleCommands(feed.bridge, feed.bridge)
        self.export = LogExport(feed.bridge, feed.bridge)
        for model in (self.log, self.rules, self.export):
            feed.register(model)


def make_decisions(feed: Feed) -> Decisions:
    """Create the models when the pane is first shown: nothing is read before."""
    return Decisions(feed)
