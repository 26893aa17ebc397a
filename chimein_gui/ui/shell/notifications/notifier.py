"""Shows the notifications that the model decides on: with the desktop's service, else with the tray."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QApplication

from chimein_gui.engine.ports import DesktopNotification
from chimein_gui.ui.widgets.text import foreign_text

if TYPE_CHECKING:
    from chimein_gui.engine.ports import DesktopNotifications, Spawn
    from chimein_gui.ui.shell.notifications.tray import TrayIcon
    from chimein_gui.viewmodels.notifications.news import Notification
    from chimein_gui.viewmodels.window import WindowModels

TITLE, BODY = 160, 400
"""Most characters of title and body."""

DEFAULT, OPEN, HOLD = "default", "open", "hold"


class Notifier(QObject):
    """Passes notifications on; the model has already decided on words, actions and sound.

    Attributes:
        open_pressed: The operator clicked a notification; carries its target, and the activation token with which the
            window may come to the front.
    """

    open_pressed = Signal(object, str)

    def __init__(self, models: WindowModels, tray: TrayIcon, parent: QObject) -> None:
        super().__init__(parent)
        self._models, self._model, self._tray = models, models.notifications, tray
        self._service: DesktopNotifications | None = None
        self._has_service = False
        self._shown: dict[str, Notification] = {}
        self._by_tray = ""
        self._model.notified.connect(self._show)
        self._model.withdrawn.connect(self._close)
        tray.message_pressed.connect(lambda: self._press(self._by_tray, OPEN))

    def attach(self, service: DesktopNotifications | None, spawn: Spawn) -> None:
        """Start to look for the notification service; None if there is none."""
        self._service = service
        if service is None:
            self._follow_service(found=False)
            return
        # Both are called in an asyncio task, where no Qt signal may be emitted.
        deliver = self._models.bridge.deliver
        spawn(
            service.run(
                lambda found: deliver(lambda: self._follow_service(found=found)),
                lambda key, action, token: deliver(lambda: self._press(key, action, token)),
            ),
            name="desktop notifications",
        )

    def _follow_service(self, *, found: bool) -> None:
        self._has_service = found
        self._model.set_service(found=found or self._tray.can_tell())

    def _show(self, notification: Notification) -> None:
        self._shown[notification.key] = notification
        title = foreign_text.line(notification.title, TITLE)
        body = foreign_text.body(notification.body)
        body = body if len(body) <= BODY else body[: BODY - 1].rstrip() + "…"
        has_sound = self._models.preferences.notify_sound and not notification.is_quiet
        if self._service is not None and self._has_service:
            actions = (
                (DEFAULT, self.tr("Open")),
                (OPEN, self.tr("Open")),
                (HOLD, self.tr("Hold everything")),
            )
            self._service.show(DesktopNotification(notification.key, title, body, actions, has_sound))
        elif self._tray.can_tell():
            self._by_tray = notification.key
            self._tray.tell(title, body)
            if has_sound:
                QApplication.beep()

    def _close(self, key: str) -> None:
        self._shown.pop(key, None)
        if self._service is not None:
            self._service.close(key)

    def _press(self, key: str, action: str, token: str = "") -> None:
        if action == HOLD:
            self._models.holds.hold()
            return
        notification = self._shown.get(key)
        self.open_pressed.emit(notification.target if notification is not None else None, token)
