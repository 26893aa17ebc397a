"""Turns what a view model could not do into a fault of the bar."""

from __future__ import annotations

from PySide6.QtCore import QObject

from chimein_gui.domain.events import FaultReported
from chimein_gui.domain.ids import Revision
from chimein_gui.viewmodels.window_models import WindowModels


class WindowFaults(QObject):
    """Listens to every `failed` signal; one key a kind, so that a later one replaces the earlier."""

    def __init__(self, models: WindowModels, parent: QObject) -> None:
        super().__init__(parent)
        self._faults = models.faults
        self._remedy = self.tr("Nothing was changed. Try again.")
        models.actions.failed.connect(lambda reason: self._report("decision", reason))
        models.agents.failed.connect(lambda reason: self._report("agent", reason))
        models.chats.failed.connect(lambda reason: self._report("read chats", reason))
        models.transcript.failed.connect(lambda reason: self._report("read messages", reason))
        models.approvals.failed.connect(lambda reason: self._report("read approvals", reason))
        models.holds.failed.connect(lambda reason: self._report("hold", reason))
        models.chat_verbs.failed.connect(lambda reason: self._report("chat", reason))
        planning = (models.waits, models.kept_edits, models.asides)
        for verbs in (*planning, models.card, models.card_edits, models.regenerations):
            verbs.failed.connect(lambda reason: self._report("plan", reason))
        models.logins.failed.connect(lambda reason: self._report("log-in", reason))
        models.voice.failed.connect(lambda reason: self._report("partner", reason))

    def _report(self, key: str, reason: str) -> None:
        self._faults.report(FaultReported(f"window: {key}", reason, self._remedy, Revision(0)))
