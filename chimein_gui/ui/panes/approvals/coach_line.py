"""A hint for new operators on what to do with the first card; it disappears for good with the first decision."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtWidgets import QHBoxLayout, QWidget

from chimein_gui.ui.widgets.surfaces.inline_message import InlineMessage
from chimein_gui.ui.widgets.theme.marks import IconLabel
from chimein_gui.viewmodels.decisions.first_one import make_first_decision

if TYPE_CHECKING:
    from chimein_gui.ui.pane import PaneContext


class CoachLine(QWidget):
    """Shown above the list while cards wait and none was ever decided here."""

    def __init__(self, context: PaneContext) -> None:
        super().__init__()
        self.line = InlineMessage(context.theme)
        row = QHBoxLayout(self)
        row.setContentsMargins(10, 2, 10, 4)
        row.addWidget(self.line)
        self._models, self._first = context.models, context.own(make_first_decision)
        self._first.changed.connect(self._follow)
        context.models.approvals.waiting_changed.connect(self._follow)
        context.models.single_keys.changed.connect(self._follow)
        self._follow()

    def _follow(self) -> None:
        is_wanted = self._first.is_ahead and self._models.approvals.waiting_count > 0
        if self._models.single_keys.enabled:
            words = self.tr("Nothing is sent before you approve it. Press A to approve, E to edit, R to reject.")
        else:
            words = self.tr("Nothing is sent before you approve it.")
        self.line.say(IconLabel("info", words, "info"))
        self.setVisible(is_wanted)
