"""The page Notifications: switches, and when no notifications are shown."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QTime
from PySide6.QtWidgets import QTimeEdit

from chimein_gui.ui.panes.preferences.section import Section
from chimein_gui.ui.panes.preferences.value_rows import SwitchRow, ValueRow
from chimein_gui.ui.widgets.text.labels import PlainLabel
from chimein_gui.ui.widgets.theme.theme import Face
from chimein_gui.viewmodels.preferences.catalogue import Page, Sort, settings_of, translated

if TYPE_CHECKING:
    from PySide6.QtGui import QWheelEvent
    from PySide6.QtWidgets import QWidget

    from chimein_gui.ui.widgets.theme.theme import Theme
    from chimein_gui.viewmodels.notifications.model import NotificationModel
    from chimein_gui.viewmodels.preferences.catalogue import Setting
    from chimein_gui.viewmodels.preferences.preferences import PreferencesModel

TIME = "HH:mm"


class _TimeField(QTimeEdit):
    def wheelEvent(self, event: QWheelEvent) -> None:
        if self.hasFocus():
            super().wheelEvent(event)
        else:
            event.ignore()  # the wheel scrolls the page, and does not change the value


class TimeRow(ValueRow):
    """A row with a time of day, which applies when the field loses the focus."""

    def __init__(self, theme: Theme, setting: Setting, model: PreferencesModel) -> None:
        self.time = _TimeField()
        self.time.setDisplayFormat(TIME)
        self.time.setAccessibleName(translated(setting.title))
        theme.apply(self.time, Face.BODY)
        super().__init__(theme, setting, model, self.time)
        self.time.editingFinished.connect(lambda: model.change(setting, self.time.time().toString(TIME)))
        self.refresh()

    def refresh(self) -> None:
        if not self.time.hasFocus():
            self.time.setTime(QTime.fromString(str(self.setting.shown(self._model.current)), TIME))
        super().refresh()


class NotificationsSection(Section):
    """The page Notifications. A line at its top tells whether notifications can be shown at all."""

    def __init__(self, theme: Theme, model: PreferencesModel, notifications: NotificationModel) -> None:
        super().__init__(theme, Page.NOTIFICATIONS)
        self._notifications = notifications
        self.nobody = PlainLabel(theme, self.tr("No notification service found"), Face.SMALL_STRONG, "attention")
        self.column.addWidget(self.nobody)
        self.settings = [
            SwitchRow(theme, setting, model) if setting.sort is Sort.SWITCH else TimeRow(theme, setting, model)
            for setting in settings_of(Page.NOTIFICATIONS)
        ]
        self.add_rows(self.settings)
        notifications.service_changed.connect(self._refresh)
        self._refresh()

    def focus_widget(self) -> QWidget:
        first = self.settings[0]
        return first.choice.focus_widget() if isinstance(first, SwitchRow) else first

    def _refresh(self) -> None:
        self.nobody.setVisible(self._notifications.has_service is False)
