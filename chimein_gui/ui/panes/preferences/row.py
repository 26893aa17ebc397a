"""One row of a page: title, description, field, unit, and a button that resets to the default."""

from __future__ import annotations

from PySide6.QtCore import QRectF, Qt, Signal
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from chimein_gui.ui.widgets.controls.action_button import ActionButton, Kind
from chimein_gui.ui.widgets.controls.form_fields import label_field
from chimein_gui.ui.widgets.surfaces.inline_message import LINE, InlineMessage
from chimein_gui.ui.widgets.text.labels import PlainLabel
from chimein_gui.ui.widgets.theme.mirror import set_rtl_margins
from chimein_gui.ui.widgets.theme.theme import Face, Theme
from chimein_gui.viewmodels.preferences.catalogue import matches

SIDE = 14


class PreferenceRow(QWidget):
    """The field is at the end; an error is shown below it.

    Attributes:
        title: The name of the value.
        reset: The reset button; visible while the value is not the default.
        reset_pressed: The operator wants to restore the default.
    """

    reset_pressed = Signal()

    def __init__(self, theme: Theme, title: str, words: str, *, wide: bool = False) -> None:
        """Create the row without its field.

        Args:
            theme: Colours and fonts.
            title: The name of the value.
            words: What it does.
            wide: The field needs a line of its own.
        """
        super().__init__()
        self._theme, self.title, self._words, self._is_first = theme, title, words, True
        self.reset = ActionButton(theme, "", icon="undo", kind=Kind.QUIET)
        self.reset.clicked.connect(self.reset_pressed)
        self.reset.hide()
        self._about = PlainLabel(theme, words, Face.SMALL, "text2")
        self._about.setWordWrap(True)
        self._problem = InlineMessage(theme, LINE, is_alert=True)
        self._label = PlainLabel(theme, title, Face.BODY)
        self._described: tuple[QWidget, str] | None = None
        names = QVBoxLayout()
        names.setSpacing(1)
        names.addWidget(self._label)
        names.addWidget(self._about)
        names.addWidget(self.reset, 0, Qt.AlignmentFlag.AlignLeft)
        self.place = QHBoxLayout()
        self.place.setSpacing(8)
        line = QVBoxLayout() if wide else QHBoxLayout()
        line.setSpacing(6 if wide else 12)
        line.addLayout(names, 1)
        line.addLayout(self.place)
        column = QVBoxLayout(self)
        set_rtl_margins(column, SIDE, 8, 8, 8)
        column.setSpacing(2)
        column.addLayout(line)
        column.addWidget(self._problem)
        theme.changed.connect(self.update)

    def matches(self, words: str) -> bool:
        """Tell whether the row contains the search words."""
        return matches(words, self.title, self._words)

    def set_first(self, *, first: bool) -> None:
        """Hide the separator above the row, because it is the first one of its card."""
        self._is_first = first
        self.update()

    def refuse(self, reason: str) -> None:
        """Show why the last change was refused; empty hides the error."""
        self._problem.refuse(reason)
        if self._described is not None:
            field, words = self._described
            said = f"{reason} {words}".strip()
            if field.accessibleDescription() != said:
                field.setAccessibleDescription(said)

    def tell_field(self, field: QWidget, words: str) -> None:
        """Tell screen readers that the title names a field, what `words` say of it, and later why it was refused."""
        label_field(self._label, field)
        self._described = field, words
        field.setAccessibleDescription(words)

    def explain(self, default: str) -> str:
        """Name the default on the reset button; return the description with the default."""
        self.reset.setText(self.tr("Reset to {default}").format(default=default))
        self.reset.setAccessibleName(self.tr("{title}: reset to {default}").format(title=self.title, default=default))
        return self.tr("{words} Default: {default}.").format(words=self._words, default=default)

    def is_changed(self) -> bool:
        """Tell whether the value differs from the default."""
        raise NotImplementedError

    def paintEvent(self, event: QPaintEvent) -> None:
        if not self._is_first:
            painter = QPainter(self)
            painter.fillRect(QRectF(SIDE, 0, self.width() - 2 * SIDE, 1), self._theme.color("line"))
            painter.end()
