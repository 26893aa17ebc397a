"""Turns what a view model could not do into a fault of the bar, and takes it back when it could after all."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject

from chimein_gui.viewmodels.problems.faults import Fault

if TYPE_CHECKING:
    from PySide6.QtCore import SignalInstance

    from chimein_gui.viewmodels.window import WindowModels


class WindowFaults(QObject):
    """Listens to every `failed` signal; one key a kind, so that a later one replaces the earlier."""

    def __init__(self, models: WindowModels, parent: QObject) -> None:
        super().__init__(parent)
        self._faults = models.faults
        self._remedy = self.tr("Nothing changed. Try again.")
        self._listen("read chats", models.chats.failed)
        self._listen("read messages", models.transcript.failed)
        self._listen("read approvals", models.approvals.failed, models.approvals.mended)
        self._listen("read decisions", models.approvals.recent.failed)
        self._listen("partner", models.voice.failed)
        for key, verbs in (
            ("decision", models.actions),
            ("agent", models.agents),
            ("hold", models.holds),
            ("chat", models.chat_commands),
            ("wait", models.waits),
            ("kept edit", models.saved_edits),
            ("aside", models.draft_commands),
            ("batch", models.batch),
            ("card", models.card),
            ("edit", models.card_saved_edits),
            ("version", models.regenerations),
            ("log-in", models.logins),
        ):
            self._listen(key, verbs.failed, verbs.mended)

    def _listen(self, key: str, failed: SignalInstance, mended: SignalInstance | None = None) -> None:
        key = f"window: {key}"
        failed.connect(lambda reason: self._faults.report(Fault(key, reason, self._remedy)))
        if mended is not None:
            mended.connect(lambda: self._faults.dismiss(key))
