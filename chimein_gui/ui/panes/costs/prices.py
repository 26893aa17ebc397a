"""The price list: its numbers are edited in place."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QPalette
from PySide6.QtWidgets import QAbstractItemView, QHBoxLayout, QHeaderView, QTableView, QVBoxLayout, QWidget

from chimein_gui.ui.widgets.controls.spoken_role import make_selected_current
from chimein_gui.ui.widgets.controls.verb_button import VerbButton
from chimein_gui.ui.widgets.rows.spoken_views import SpokenTableView
from chimein_gui.ui.widgets.text.labels import PlainLabel
from chimein_gui.ui.widgets.theme.theme import Face
from chimein_gui.viewmodels.costs.prices import MODEL, make_prices

if TYPE_CHECKING:
    from PySide6.QtGui import QKeyEvent

    from chimein_gui.ui.pane import PaneContext


class PricePage(QWidget):
    """Shows all prices.

    Attributes:
        left: The costs are to be shown again.
    """

    left = Signal()

    def __init__(self, context: PaneContext) -> None:
        super().__init__()
        self._theme = theme = context.theme
        self.model = context.own(make_prices)
        self.list = view = SpokenTableView()
        self._preferences = context.models.preferences_model
        view.setModel(self.model)
        make_selected_current(view)
        view.setAccessibleName(self.tr("Prices of models"))
        view.setFrameShape(QTableView.Shape.NoFrame)
        view.setShowGrid(False)
        view.verticalHeader().hide()
        view.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        view.setTabKeyNavigation(False)
        heads = view.horizontalHeader()
        heads.setSectionResizeMode(QHeaderView.ResizeMode.ResizeToContents)
        heads.setSectionResizeMode(MODEL, QHeaderView.ResizeMode.Stretch)
        self.back = VerbButton(theme, self.tr("Back to the costs"), icon="caret-left")
        self.remove = VerbButton(theme, self.tr("Remove your price"))
        about = PlainLabel(
            theme,
            self.tr(
                "US dollars a million tokens. A change counts for calls from now on; earlier calls keep their cost."
            ),
            Face.SMALL,
            "text2",
        )
        self.refusal = PlainLabel(theme, "", Face.SMALL, "danger")
        self.refusal.hide()
        row = QHBoxLayout()
        row.addWidget(self.back)
        row.addWidget(about, 1)
        row.addWidget(self.remove)
        column = QVBoxLayout(self)
        column.setContentsMargins(12, 10, 12, 12)
        column.setSpacing(10)
        column.addLayout(row)
        column.addWidget(self.refusal)
        column.addWidget(view, 1)
        self.back.clicked.connect(lambda _checked=False: self.left.emit())
        self.remove.clicked.connect(lambda _checked=False: self.model.remove(view.currentIndex().row()))
        view.selectionModel().currentChanged.connect(self._refresh)
        self.model.modelReset.connect(self._refresh)
        self._preferences.changed.connect(self._refresh)
        theme.changed.connect(self._colour)
        self._colour()
        self._refresh()

    def enter(self) -> None:
        """Focus the table."""
        if not self.list.currentIndex().isValid():
            self.list.setCurrentIndex(self.model.index(0, 1))
        self.list.setFocus()

    def _colour(self) -> None:
        palette, color = self.list.palette(), self._theme.color
        for role, token in (
            (QPalette.ColorRole.Base, "card"),
            (QPalette.ColorRole.Highlight, "accent_soft"),
            (QPalette.ColorRole.HighlightedText, "text1"),
        ):
            palette.setColor(role, color(token))
        self.list.setPalette(palette)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape:
            self.left.emit()
        else:
            super().keyPressEvent(event)

    def _refresh(self) -> None:
        self.remove.setEnabled(self.model.is_own(self.list.currentIndex().row()))
        refusal = self._preferences.refusal("prices")
        self.refusal.setText(refusal)
        self.refusal.setVisible(bool(refusal))
