"""The placeholder in a dock until its pane is created, when it is first shown."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QByteArray, QSize
from PySide6.QtWidgets import QVBoxLayout

from chimein_gui.ui.pane import Pane, PaneSpec
from chimein_gui.ui.widgets.surfaces.empty_state import EmptyState
from chimein_gui.ui.widgets.theme.theme import Theme

if TYPE_CHECKING:
    from PySide6.QtGui import QShowEvent


class StartingPane(Pane):
    """Shows that the program is starting, in the same place as the pane does."""

    def __init__(self, theme: Theme, spec: PaneSpec) -> None:
        super().__init__()
        self._theme, self._icon = theme, spec.icon
        self._inside, self._place = QByteArray(), ""

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        if self.layout() is None:  # most docks are hidden at the first paint
            said = EmptyState(self._theme, self._icon)
            said.say(self.tr("Starting…"), "")
            column = QVBoxLayout(self)
            column.setContentsMargins(0, 0, 0, 0)
            column.addWidget(said)

    def save_layout(self) -> QByteArray:
        return self._inside

    def restore_layout(self, state: QByteArray) -> None:
        """Keep the layout for the pane."""
        self._inside = state

    def save_place(self) -> str:
        return self._place

    def restore_place(self, place: str) -> None:
        """Keep the place for the pane."""
        self._place = place

    def minimumSizeHint(self) -> QSize:
        # The placeholder must not make the dock larger than the pane does.
        return QSize(300, 220)
