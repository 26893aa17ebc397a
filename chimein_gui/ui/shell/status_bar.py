"""Facts, and nothing to press."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QStatusBar

from chimein_gui.domain.agents import Health
from chimein_gui.ui.widgets import foreign_text
from chimein_gui.ui.widgets.labels import ElidedLabel, PlainLabel
from chimein_gui.ui.widgets.theme import Face, Theme
from chimein_gui.viewmodels.window_models import WindowModels

if TYPE_CHECKING:
    from PySide6.QtGui import QHideEvent, QShowEvent

_EVERY_MS = 200


class FactBar(QStatusBar):
    """How much there is, who has to wait, and how real it is."""

    def __init__(self, theme: Theme, models: WindowModels, *, is_sandbox: bool) -> None:
        super().__init__()
        self._models = models
        self.setSizeGripEnabled(False)
        self.setContentsMargins(64, 0, 6, 0)
        self._counts = PlainLabel(theme, "", Face.META, "text3")
        self._waits = ElidedLabel(theme, "", Face.META, "info")
        self.addWidget(self._counts)
        self.addWidget(self._waits, 1)
        if is_sandbox:
            words = self.tr("Sandbox: everything stays on this machine")
            self.addPermanentWidget(PlainLabel(theme, words, Face.META, "text3"))
        self.setMinimumHeight(26)
        models.chats.chats_changed.connect(self._seldom)
        models.agents.summary_changed.connect(self._seldom)
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.setInterval(_EVERY_MS)
        self._timer.timeout.connect(self.refresh)
        self.refresh()

    def _seldom(self) -> None:
        # A new width of the text lays out the whole bar: in a storm nobody reads every count.
        if self.isVisible() and not self._timer.isActive():
            self._timer.start()

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self.refresh()

    def hideEvent(self, event: QHideEvent) -> None:
        self._timer.stop()

    def refresh(self) -> None:
        """Count again."""
        agents, chats, unread = self._models.chats.totals()
        parts = [
            self.tr("1 agent") if agents == 1 else self.tr("{n} agents").format(n=agents),
            self.tr("1 chat") if chats == 1 else self.tr("{n} chats").format(n=chats),
            self.tr("{n} unread").format(n=unread),
        ]
        self._counts.setText(" · ".join(parts) if agents else "")
        waiting = [agent for agent in self._models.agents.items() if agent.health is Health.WAITING]
        names = ", ".join(foreign_text.isolated(agent.spec.name) for agent in waiting)
        self._waits.setText(self.tr("Waits: {names}").format(names=names) if waiting else "")
