"""A form field with a label above and an error message below."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from chimein_gui.ui.widgets.controls.form_fields import LineField, label_field
from chimein_gui.ui.widgets.surfaces.inline_message import LINE, InlineMessage
from chimein_gui.ui.widgets.surfaces.state_chip import StateChip
from chimein_gui.ui.widgets.text.labels import PlainLabel
from chimein_gui.ui.widgets.theme.theme import Face, Theme

if TYPE_CHECKING:
    from chimein_gui.ui.widgets.theme.marks import IconLabel


class Labelled(QWidget):
    """Label, field and error, from the top. The error is also the field's accessible description."""

    def __init__(
        self, theme: Theme, label: str, field: QWidget, *, hint: str = "", beside: QWidget | None = None
    ) -> None:
        """Create the label and lay it out with the field.

        Args:
            theme: Colours and fonts.
            label: What the field is for.
            field: The field; the caller sets its accessible name.
            hint: A further text after the label, in a lighter colour.
            beside: A widget at the end of the field, such as a button.
        """
        super().__init__()
        self._field, self._hint = field, hint
        self._problem = InlineMessage(theme, LINE, is_alert=True)
        self.chip = StateChip(theme)
        head = QHBoxLayout()
        head.setSpacing(8)
        title = PlainLabel(theme, label, Face.SMALL_STRONG)
        head.addWidget(title)
        head.addWidget(PlainLabel(theme, hint, Face.SMALL, "text2"))
        head.addStretch(1)
        head.addWidget(self.chip)
        line = QHBoxLayout()
        line.setSpacing(6)
        line.addWidget(field, 1)
        if beside is not None:
            line.addWidget(beside)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(4)
        column.addLayout(head)
        column.addLayout(line)
        column.addWidget(self._problem)
        label_field(title, field)
        field.setAccessibleDescription(hint)

    def problem(self) -> str:
        """Return the shown error; empty if there is none."""
        return self._problem.words()

    def refuse(self, reason: str) -> None:
        """Show why the input is invalid; empty if it is valid."""
        self._problem.refuse(reason)
        self._field.setAccessibleDescription(reason or self._hint)
        inner = self._field if isinstance(self._field, LineField) else self._field.findChild(LineField)
        if inner is not None:
            inner.mark_wrong(wrong=bool(reason))
            inner.setAccessibleDescription(reason or self._hint)

    def say(self, icon_label: IconLabel | None) -> None:
        """Show an icon with a word at the end of the label; None hides it."""
        self.chip.say(icon_label)
