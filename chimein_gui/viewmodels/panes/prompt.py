"""The models of the Prompt pane."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from chimein_gui.domain.plans.details import PlanDetails
from chimein_gui.viewmodels.core.roles import ItemRole
from chimein_gui.viewmodels.panes.plans import make_plans
from chimein_gui.viewmodels.prompt.comparison import ComparisonModel
from chimein_gui.viewmodels.prompt.export import PromptExport
from chimein_gui.viewmodels.prompt.file_edit import FileEdit
from chimein_gui.viewmodels.prompt.model import PromptModel
from chimein_gui.viewmodels.prompt.what_if import WhatIfModel

if TYPE_CHECKING:
    from chimein_gui.domain.ids import ChatId
    from chimein_gui.viewmodels.window import WindowModels


class PromptModels(QObject):
    """The prompts of the chat that the Conversations pane shows.

    Attributes:
        prompt: The shown prompt.
        comparison: The shown prompt beside another one of the chat.
        export: Writes prompts into files.
        what_if: The prompt as the operator edits it for dry runs.
        file_edit: Applies an edit to the file that it is of.
        plans_changed: The plans of the chat changed.
    """

    plans_changed = Signal()

    def __init__(self, models: WindowModels) -> None:
        super().__init__()
        self._plans = models.own(make_plans)
        self.prompt = models.register(PromptModel(models, self))
        self.comparison = models.register(ComparisonModel(models, self.prompt, lambda: models.preferences.prices, self))
        self.export = models.register(PromptExport(models, self))
        self.what_if = models.register(WhatIfModel(models, self.prompt, self))
        self.file_edit = models.register(FileEdit(models, self))
        self._plans.plan.changed.connect(self.plans_changed)
        self._plans.history.changed.connect(self.plans_changed)
        models.transcript.opened.connect(self._follow)
        chat = models.transcript.chat
        self._follow(chat.chat_id if chat is not None else None)

    @property
    def plans(self) -> tuple[PlanDetails, ...]:
        """Return the stored plans of the chat, newest first."""
        history = self._plans.history
        current = self._plans.plan.current
        earlier = (history.data(history.index(row), ItemRole) for row in range(history.rowCount()))
        return tuple(one for one in (current, *earlier) if isinstance(one, PlanDetails) and one.graph_id)

    def _follow(self, chat_id: ChatId | None) -> None:
        self.prompt.open(chat_id)


def make_prompt(models: WindowModels) -> PromptModels:
    """Return the models, registered with the engine; for `PaneContext.own`."""
    return PromptModels(models)
