"""The program while its window is hidden: the tray icon and notifications."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, cast

from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtWidgets import QApplication, QSystemTrayIcon

from chimein_gui.domain.approvals import Approval
from chimein_gui.ui.requests import ShowAgent, ShowChat, ShowDraft
from chimein_gui.ui.shell.notifications.notifier import Notifier
from chimein_gui.ui.shell.notifications.tray import TrayIcon
from chimein_gui.viewmodels.problems.words import ProblemAction, ProblemCommand

if TYPE_CHECKING:
    from collections.abc import Callable

    from chimein_gui.domain.ids import AgentId, ChatId
    from chimein_gui.engine.ports import DesktopNotifications, Spawn
    from chimein_gui.ui.shell.window import MainWindow

SAID = "no_tray_said"
"""Settings key: the toast about the missing tray was shown, and is not repeated at each start."""


class Presence(QObject):
    """Created only for runs with an operator: scripts, tests and the tour show nothing on the desktop."""

    def __init__(
        self, window: MainWindow, has_tray: Callable[[], bool] = QSystemTrayIcon.isSystemTrayAvailable
    ) -> None:
        super().__init__(window)
        self._window, self._model, self._has_tray = window, window.models.notifications, has_tray
        self._says_no_tray = False
        self.tray = TrayIcon(window.models.approvals, window.models.holds, window.theme, window)
        self.notifier = Notifier(window.models, self.tray, self)
        self._model.in_sight = self._is_in_sight
        self._model.is_active = _is_active
        self._model.flashed.connect(lambda: QApplication.alert(window))
        self.tray.open_pressed.connect(self.bring_to_front)
        self.tray.quit_pressed.connect(window.close_guard.request)
        self.notifier.open_pressed.connect(self._open)
        window.close_guard.hides_instead = self._hides_instead
        window.installEventFilter(self)

    def attach(self, service: DesktopNotifications | None, spawn: Spawn) -> None:
        """Start to look for the notification service; None if there is none."""
        self.notifier.attach(service, spawn)

    def start_hidden(self) -> None:
        """Start in the tray. Without a tray start minimized, and say so when the window is first opened."""
        if self._has_tray():
            return
        self._says_no_tray = not self._window.memory.text_of(SAID)
        self._window.showMinimized()

    def bring_to_front(self, token: str = "") -> None:
        """Show the window in front of all others.

        Args:
            token: The activation token that Wayland requires; empty on other systems.
        """
        window = self._window
        if token:
            os.environ["XDG_ACTIVATION_TOKEN"] = token  # Qt reads and removes it
        if window.isMinimized():
            window.setWindowState(window.windowState() & ~Qt.WindowState.WindowMinimized)
        window.show()
        window.raise_()
        window.activateWindow()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.WindowActivate and watched is self._window:
            self._model.look_up()
            self._say_once()
        return False

    def _open(self, target: object, token: str) -> None:
        window = self._window
        self.bring_to_front(token)
        if isinstance(target, Approval):
            window.requests.send(ShowChat(target.chat_id))
            window.requests.send(ShowDraft(target.approval_id))
        elif isinstance(target, ProblemAction) and target.command is ProblemCommand.OPEN_CHAT:
            window.requests.send(ShowChat(cast("ChatId", target.target)))
        elif isinstance(target, ProblemAction):
            window.requests.send(ShowAgent(cast("AgentId | None", target.target)))

    def _is_in_sight(self, approval: Approval) -> bool:
        return _is_active() and any(pane.shows_draft(approval) for pane in self._window.panes.values())

    def _hides_instead(self) -> bool:
        return self._window.models.preferences.keep_in_tray and self._has_tray()

    def _say_once(self) -> None:
        if self._says_no_tray:
            self._says_no_tray = False
            self._window.memory.remember(SAID, "yes")
            self._window.models.toasts.show(self.tr("No system tray found, so Chimein started minimised"))


def _is_active() -> bool:
    return QApplication.activeWindow() is not None
