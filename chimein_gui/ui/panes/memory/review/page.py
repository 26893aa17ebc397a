"""The Review tab: the proposed memories at the left, the chosen one with its evidence at the right."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from chimein_gui.ui.widgets.surfaces.empty_state import EmptyState
from chimein_gui.ui.widgets.surfaces.surface import Footer
from chimein_gui.ui.widgets.text.labels import ElidedLabel
from chimein_gui.ui.widgets.theme.mirror import set_rtl_margins
from chimein_gui.ui.widgets.theme.theme import Face

if TYPE_CHECKING:
    from chimein_gui.ui.pane import PaneContext


class ReviewPage(QWidget):
    """Nothing is remembered of a proposal before the operator accepts it."""

    def __init__(self, context: PaneContext) -> None:
        super().__init__()
        self._context, theme = context, context.theme
        self._empty = EmptyState(theme, "memory")
        self._empty.say(
            self.tr("Nothing to review"),
            self.tr("Memories that are proposed wait here. Nothing is remembered before you accept it."),
        )
        self._rule = ElidedLabel(theme, self.tr("What you do not accept is in no prompt."), Face.SMALL, "text2")
        foot = Footer(theme)
        row = QHBoxLayout(foot)
        set_rtl_margins(row, 12, 6, 12, 6)
        row.addWidget(self._rule)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self._empty, 1)
        column.addWidget(foot)

    def focus_widget(self) -> QWidget:
        """Return the widget that gets the focus when the tab is entered."""
        return self._empty
