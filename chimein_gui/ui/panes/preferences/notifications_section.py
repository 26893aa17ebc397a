"""The page Notifications: switches, and when no notifications are shown."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QTime
from PySide6.QtWidgets import QTimeEdit

from chimein_gui.domain.settings.preferences import Preferences
from chimein_gui.ui.panes.preferences.row import PreferenceRow
from chimein_gui.ui.panes.preferences.section import Section
from chimein_gui.ui.widgets.controls.segments import Segments
from chimein_gui.ui.widgets.text import foreign_text
from chimein_gui.ui.widgets.text.labels import PlainLabel
from chimein_gui.ui.widgets.theme.theme import Face
from chimein_gui.viewmodels.preferences.catalogue import OFF, ON, Page, Sort, settings_of, translated

if TYPE_CHECKING:
    from PySide6.QtGui import QWheelEvent
    from PySide6.QtWidgets import QWidget

    from chimein_gui.ui.widgets.theme.theme import Theme
    from chimein_gui.viewmodels.notifications.model import NotificationModel
    from chimein_gui.viewmodels.preferences.catalogue import Setting
    from chimein_gui.viewmodels.preferences.preferences import PreferencesModel

TIME = "HH:mm"
_CHOICES = (ON, OFF)


class ValueRow(PreferenceRow):
    """Base of both kinds of rows: shows the current value, and resets it to the default."""

    def __init__(self, theme: Theme, setting: Setting, model: PreferencesModel, field: QWidget) -> None:
        super().__init__(theme, translated(setting.title), translated(setting.words))
        self.setting, self._model = setting, model
        self.place.addWidget(field)
        self.field = field
        field.setAccessibleDescription(self.explain(setting.in_words(Preferences())))
        self.reset_pressed.connect(lambda: model.reset(setting.name))
        model.changed.connect(self.refresh)

    def refresh(self) -> None:
        """Show the current value."""
        name = self.setting.name
        self.field.setEnabled(self._model.usable)
        self.reset.setVisible(self._model.usable and self.is_changed())
        self.refuse(foreign_text.line(self._model.refusal(name), 300))

    def is_changed(self) -> bool:
        return not self._model.is_default(self.setting.name)


class SwitchRow(ValueRow):
    """A row with a switch."""

    def __init__(self, theme: Theme, setting: Setting, model: PreferencesModel) -> None:
        self.choice = Segments(theme, (translated("On"), translated("Off")), translated(setting.title))
        super().__init__(theme, setting, model, self.choice)
        self.choice.chosen.connect(lambda place: model.change(setting, _CHOICES[place]))
        self.refresh()

    def refresh(self) -> None:
        self.choice.choose(_CHOICES.index(str(self.setting.shown(self._model.current))))
        super().refresh()


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
