"""The tray icon: the number of waiting approvals, and the most important commands."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QMenu, QSystemTrayIcon

from chimein_gui.ui.shell.notifications.badge import badged_icon, words_of
from chimein_gui.ui.widgets.text import foreign_text

if TYPE_CHECKING:
    from PySide6.QtWidgets import QWidget

    from chimein_gui.ui.widgets.theme.theme import Theme
    from chimein_gui.viewmodels.approvals.store import ApprovalStore
    from chimein_gui.viewmodels.holds import HoldModel

SHOWN_MS = 8_000


class TrayIcon(QObject):
    """Created even without a tray; `show` adds it to one.

    Attributes:
        open_pressed: The operator wants to see the window.
        quit_pressed: The operator wants to end the program.
        message_pressed: The last notification was clicked.
    """

    open_pressed = Signal()
    quit_pressed = Signal()
    message_pressed = Signal()

    def __init__(self, approvals: ApprovalStore, holds: HoldModel, theme: Theme, parent: QWidget) -> None:
        super().__init__(parent)
        self._approvals, self._holds = approvals, holds
        self._theme, self._name = theme, parent.windowTitle()
        self._drawn: tuple[str, str] | None = None
        self.icon = QSystemTrayIcon(self)
        self.menu = QMenu(parent)
        self.hold = self.menu.addAction("")
        self.hold.triggered.connect(self._press_hold)
        self.open = self.menu.addAction(self.tr("Open"))
        self.open.triggered.connect(self.open_pressed)
        self.menu.setDefaultAction(self.open)
        self.menu.addSeparator()
        self.quit = self.menu.addAction(self.tr("Quit"))
        self.quit.triggered.connect(self.quit_pressed)
        self.icon.setContextMenu(self.menu)
        self.icon.activated.connect(self._activate)
        self.icon.messageClicked.connect(self.message_pressed)
        approvals.waiting_changed.connect(self.refresh)
        holds.changed.connect(self.refresh)
        theme.changed.connect(self.refresh)
        self.refresh()

    def refresh(self) -> None:
        """Update the number, and whether everything is held."""
        number = self._approvals.waiting_count
        held = self._holds.everything() is not None
        self.hold.setText(self.tr("Release…") if held else self.tr("Hold everything"))
        if number == 1:
            waits = self.tr("1 message waits")
        else:
            waits = self.tr("%n messages wait", "", number) if number else self.tr("Nothing to approve")
        state = self.tr("Everything is held.") if held else ""
        words = self.tr("{name}: {waits}. {state}").format(name=self._name, waits=waits, state=state).strip()
        self.icon.setToolTip(foreign_text.line(words))
        looks = (words_of(number) if number else "", self._theme.scheme.value)
        if looks != self._drawn:
            self._drawn = looks
            self.icon.setIcon(badged_icon(self._theme, number))

    def show(self) -> None:
        """Add the icon to the tray, now or as soon as there is one."""
        if QGuiApplication.platformName() != "offscreen":  # that platform has no tray, and Qt warns
            self.icon.show()

    def can_tell(self) -> bool:
        """Tell whether the tray supports notifications."""
        return self.icon.isVisible() and QSystemTrayIcon.isSystemTrayAvailable() and self.icon.supportsMessages()

    def tell(self, title: str, body: str) -> None:
        """Show a notification in plain text."""
        self.icon.showMessage(title, body, self.icon.icon(), SHOWN_MS)

    def _press_hold(self) -> None:
        if self._holds.everything() is None:
            self._holds.hold()
        else:
            self._holds.release()
            self.open_pressed.emit()  # a release opens the review of held messages in the window

    def _activate(self, reason: QSystemTrayIcon.ActivationReason) -> None:
        if reason is not QSystemTrayIcon.ActivationReason.Context:
            self.open_pressed.emit()
