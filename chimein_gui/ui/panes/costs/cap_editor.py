"""Edits one cap in place: an amount a day, or none."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QWidget

from chimein_gui.domain.spending.caps import MOST_USD
from chimein_gui.ui.widgets.controls.action_button import ActionButton, Kind
from chimein_gui.ui.widgets.controls.form_fields import DollarsField
from chimein_gui.ui.widgets.surfaces.surface import Surface
from chimein_gui.ui.widgets.text import foreign_text
from chimein_gui.ui.widgets.text.labels import ElidedLabel
from chimein_gui.ui.widgets.theme.mirror import set_rtl_margins
from chimein_gui.ui.widgets.theme.theme import Face

if TYPE_CHECKING:
    from PySide6.QtGui import QKeyEvent

    from chimein_gui.domain.spending.caps import CapKey
    from chimein_gui.ui.widgets.theme.theme import Theme

DEFAULT_USD = 3.0
"""What is offered where there is no cap yet."""


class CapEditor(Surface):
    """Hidden until a cap is edited.

    Attributes:
        changed: A cap was set or removed; carries its key and the amount in US dollars, or None.
        closed: The editor was closed.
    """

    changed = Signal(object, object)
    closed = Signal()

    def __init__(self, theme: Theme) -> None:
        super().__init__(theme, "card", bottom_line="line")
        self._key: CapKey | None = None
        self._label = ElidedLabel(theme, "", Face.STRONG)
        self.amount = DollarsField(theme, most=MOST_USD, step=0.25)
        self.save = ActionButton(theme, self.tr("Set the cap"), kind=Kind.PRIMARY)
        self.remove = ActionButton(theme, self.tr("No cap"))
        self.cancel = ActionButton(theme, "", icon="x", kind=Kind.QUIET)
        self.cancel.setAccessibleName(self.tr("Close without a change"))
        row = QHBoxLayout(self)
        set_rtl_margins(row, 14, 8, 12, 8)
        row.setSpacing(8)
        row.addWidget(self._label, 1)
        for part in (self.amount, self.save, self.remove, self.cancel):
            row.addWidget(part)
        self.save.clicked.connect(lambda _checked=False: self._set(self.amount.value()))
        self.remove.clicked.connect(lambda _checked=False: self._set(None))
        self.cancel.clicked.connect(lambda _checked=False: self.close_it())
        QWidget.setTabOrder(self.amount, self.save)
        self.hide()

    def edit(self, key: CapKey, name: str, usd: float | None) -> None:
        """Edit a cap.

        Args:
            key: What it is for.
            name: Its name, foreign text; empty for everything.
            usd: The cap now; None for none.
        """
        self._key = key
        words = (
            self.tr("Daily cap for {name}").format(name=foreign_text.isolate(foreign_text.line(name, 80)))
            if name
            else self.tr("Daily cap for everything")
        )
        self._label.setText(words)
        self.amount.setAccessibleName(self.tr("{what}, in US dollars").format(what=words))
        self.amount.show_amount(DEFAULT_USD if usd is None else usd)
        self.remove.setEnabled(usd is not None)
        self.show()
        self.amount.setFocus(Qt.FocusReason.OtherFocusReason)
        self.amount.selectAll()

    def close_it(self) -> None:
        """Close it without a change."""
        self._key = None
        self.hide()
        self.closed.emit()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape:
            self.close_it()
        elif event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and self.amount.hasFocus():
            self.amount.interpretText()
            self._set(self.amount.value())
        else:
            super().keyPressEvent(event)

    def _set(self, usd: float | None) -> None:
        key = self._key
        self.close_it()
        if key is not None:
            self.changed.emit(key, usd)
