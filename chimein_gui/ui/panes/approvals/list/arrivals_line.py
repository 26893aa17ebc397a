"""A button with the number of cards that arrived while the order was frozen; a click shows them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtWidgets import QHBoxLayout, QWidget

from chimein_gui.ui.widgets.controls.action_button import ActionButton, Kind
from chimein_gui.ui.widgets.controls.spoken_role import announce, speak_as_alert
from chimein_gui.viewmodels.panes.approvals import make_approvals

if TYPE_CHECKING:
    from chimein_gui.ui.pane import PaneContext
from PySide6.QtCore import QCoreApplication

translate = QCoreApplication.translate


class ArrivalsLine(QWidget):
    """Hidden if no cards are held back."""

    def __init__(self, context: PaneContext) -> None:
        super().__init__()
        self._queue = context.own(make_approvals).queue
        speak_as_alert(self)
        self.button = ActionButton(context.theme, "", icon="arrow-down", kind=Kind.PLAIN)
        self.button.clicked.connect(self._queue.bring_arrivals)
        row = QHBoxLayout(self)
        row.setContentsMargins(10, 2, 10, 4)
        row.addStretch(1)
        row.addWidget(self.button)
        row.addStretch(1)
        self._queue.arrivals_changed.connect(self._show)
        self.hide()

    def _show(self, count: int) -> None:
        words = self.tr("{n} new").format(n=count)
        self.button.set_look(words, icon="arrow-down")
        self.button.setAccessibleName(translate("ArrivalsLine", "Show %n new card(s)", "", count))
        self.setAccessibleName(words)
        self.setVisible(count > 0)
        if count:
            announce(self)
