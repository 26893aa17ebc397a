"""The list of reasons for a rejection; a press on one rejects with it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtWidgets import QGridLayout, QWidget

from chimein_gui.domain.approvals import RejectionCause
from chimein_gui.ui.widgets.controls.action_button import ActionButton, Kind
from chimein_gui.ui.widgets.theme.theme import Theme
from chimein_gui.viewmodels.decisions.words import cause_words

if TYPE_CHECKING:
    from PySide6.QtGui import QResizeEvent

_GAP = 6
IN_A_ROW = 3
"""At most; fewer where the words and digits need more room."""


class Causes(QWidget):
    """A button for each reason, with the digit that presses it.

    Attributes:
        picked: A reason was pressed; carries the `RejectionCause`.
    """

    picked = Signal(object)

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._grid = QGridLayout(self)
        self._grid.setContentsMargins(0, 0, 0, 0)
        self._grid.setSpacing(_GAP)
        self._columns = 0
        self.setAccessibleName(self.tr("Reasons"))
        self._buttons: list[ActionButton] = []
        for place, cause in enumerate(RejectionCause):
            words = self.tr("Other…") if cause is RejectionCause.OTHER else cause_words(cause)
            button = ActionButton(theme, words, key=str(place + 1), kind=Kind.QUIET)
            button.clicked.connect(lambda _checked=False, cause=cause: self.picked.emit(cause))
            button.setParent(self)
            self._buttons.append(button)
        self._lay_out(IN_A_ROW)
        theme.fonts_changed.connect(self._fit, Qt.ConnectionType.QueuedConnection)

    def buttons(self) -> tuple[ActionButton, ...]:
        """Return the buttons in the order of `RejectionCause`."""
        return tuple(self._buttons)

    def minimumSizeHint(self) -> QSize:
        return QSize(max(button.sizeHint().width() for button in self._buttons), super().minimumSizeHint().height())

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()

    def _fit(self) -> None:
        """Take as many columns as show all words and digits."""
        widths = [button.sizeHint().width() for button in self._buttons]
        fitting = (
            count
            for count in range(IN_A_ROW, 1, -1)
            if sum(max(widths[at::count]) for at in range(count)) + _GAP * (count - 1) <= self.width()
        )
        self._lay_out(next(fitting, 1))

    def _lay_out(self, columns: int) -> None:
        if columns == self._columns:
            return
        for at in range(IN_A_ROW + 1):
            self._grid.setColumnStretch(at, int(at == columns))
        for place, button in enumerate(self._buttons):
            self._grid.removeWidget(button)
            self._grid.addWidget(button, place // columns, place % columns)
        self._columns = columns
        self.updateGeometry()
