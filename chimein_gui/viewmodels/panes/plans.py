"""The models of the Plans pane."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject

from chimein_gui.viewmodels.plans.history import PlanHistoryModel
from chimein_gui.viewmodels.plans.outline import OutlineModel
from chimein_gui.viewmodels.plans.plan import PlanModel

if TYPE_CHECKING:
    from chimein_gui.domain.ids import ChatId, GraphId
    from chimein_gui.viewmodels.window import WindowModels


class PlansModels(QObject):
    """The plan of the chat that the Conversations pane shows.

    Attributes:
        plan: Its current plan, and the edits.
        outline: Its steps as rows.
        history: The earlier plans of the chat.
    """

    def __init__(self, models: WindowModels) -> None:
        super().__init__()
        self.plan = models.register(PlanModel(models.bridge, self))
        self.outline = OutlineModel(self.plan, self)
        self.history = models.register(PlanHistoryModel(models, self))
        models.faults.listen("plan", self.plan.failed)
        models.faults.listen("plans", self.history.failed)
        self.plan.found.connect(self.history.compare)
        models.transcript.opened.connect(self._follow)
        chat = models.transcript.chat
        self.open(chat.chat_id if chat is not None else None)

    def open(self, chat_id: ChatId | None, graph_id: GraphId | None = None) -> None:
        """Show the plans of another chat; None shows none. `graph_id` asks for one that may be an earlier one."""
        self.plan.open(chat_id, graph_id)
        self.history.open(chat_id)

    def _follow(self, chat_id: ChatId | None) -> None:
        self.open(chat_id)


def make_plans(models: WindowModels) -> PlansModels:
    """Return the models, registered with the engine; for `PaneContext.own`."""
    return PlansModels(models)
