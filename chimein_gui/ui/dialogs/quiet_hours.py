"""Sets the quiet hours of a chat: start and end in the agent's time zone."""

from __future__ import annotations

from datetime import time

from PySide6.QtCore import QCoreApplication, QTime, Signal
from PySide6.QtWidgets import QHBoxLayout, QTimeEdit, QWidget

from chimein_gui.domain.chats import QuietHours
from chimein_gui.ui.dialogs.small_dialog import SmallDialog
from chimein_gui.ui.widgets.controls.action_button import ActionButton, Kind
from chimein_gui.ui.widgets.text.labels import PlainLabel
from chimein_gui.ui.widgets.theme.theme import Face, Theme

USUAL = QuietHours(time(22), time(7))

translate = QCoreApplication.translate


class QuietHoursDialog(SmallDialog):
    """Asks for start and end. Open it with open().

    Attributes:
        chosen: The operator confirmed; carries the `QuietHours`.
    """

    chosen = Signal(object)

    def __init__(self, theme: Theme, hours: QuietHours | None, parent: QWidget) -> None:
        self.set = ActionButton(theme, translate("QuietHours", "Set quiet hours"), icon="moon", kind=Kind.PRIMARY)
        words = translate(
            "QuietHours",
            "Nothing is sent automatically between these times, in the agent's time zone.",
        )
        super().__init__(theme, translate("QuietHours", "Quiet hours"), words, self.set, parent)
        shown = hours or USUAL
        self.begins, self.ends = (
            self._field(translate("QuietHours", "From"), shown.begins),
            self._field(translate("QuietHours", "To"), shown.ends),
        )
        row = QHBoxLayout()
        row.setSpacing(8)
        for part in (
            PlainLabel(theme, translate("QuietHours", "From")),
            self.begins,
            PlainLabel(theme, translate("QuietHours", "to")),
            self.ends,
        ):
            row.addWidget(part)
        row.addStretch(1)
        self.middle.addLayout(row)
        self.set.setDefault(True)
        self.set.clicked.connect(self._choose)
        self.fit()

    def _field(self, name: str, at: time) -> QTimeEdit:
        field = QTimeEdit(QTime(at.hour, at.minute))
        field.setDisplayFormat("HH:mm")
        field.setAccessibleName(name)
        self._theme.apply(field, Face.BODY)
        return field

    def _choose(self) -> None:
        begins, ends = self.begins.time(), self.ends.time()
        self.accept()
        self.chosen.emit(QuietHours(time(begins.hour(), begins.minute()), time(ends.hour(), ends.minute())))
