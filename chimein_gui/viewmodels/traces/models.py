"""The models of the Traces pane."""

from __future__ import annotations

from typing import TYPE_CHECKING

from chimein_gui.viewmodels.traces.list import TraceListModel
from chimein_gui.viewmodels.traces.open_trace import OpenTrace

if TYPE_CHECKING:
    from chimein_gui.viewmodels.core.feed import Feed


class Traces:
    """The pane's models, each registered with the engine."""

    def __init__(self, feed: Feed) -> None:
        self.list = TraceListModel(feed, feed.bridge)
        self.open = OpenTrace(feed, feed.bridge)
        self.list.row_changed.connect(self.open.touched)
        for model in (self.list, self.open):
            feed.register(model)


def make_traces(feed: Feed) -> Traces:
    """Create the models when the pane is first shown: nothing is read before."""
    return Traces(feed)
