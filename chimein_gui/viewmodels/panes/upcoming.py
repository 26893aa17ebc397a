"""The models of the Next pane."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject

from chimein_gui.viewmodels.plans.lanes import LaneModel
from chimein_gui.viewmodels.plans.upcoming import UpcomingModel
from chimein_gui.viewmodels.plans.upcoming_rows import UpcomingRows

if TYPE_CHECKING:
    from chimein_gui.viewmodels.window import WindowModels


class UpcomingModels(QObject):
    """What happens next in all chats.

    Attributes:
        upcoming: The entries, in step with the engine while the pane is shown.
        rows: They as a list in groups.
        lanes: They as lanes of a time line.
    """

    def __init__(self, models: WindowModels) -> None:
        super().__init__()
        self.upcoming = models.register(UpcomingModel(models.bridge, models.clock, self))
        self.rows = UpcomingRows(self.upcoming, self)
        self.lanes = LaneModel(self.upcoming, self)
        models.faults.listen("upcoming", self.upcoming.failed)


def make_upcoming(models: WindowModels) -> UpcomingModels:
    """Return the models, registered with the engine; for `PaneContext.own`."""
    return UpcomingModels(models)
