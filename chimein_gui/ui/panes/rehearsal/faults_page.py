"""The page of simulated faults: the catalogue, a search, and the form of the selected fault."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QSizePolicy, QStackedWidget, QVBoxLayout, QWidget

from chimein_gui.ui.pane import PaneContext
from chimein_gui.ui.panes.rehearsal.fault_form import FaultForm
from chimein_gui.ui.panes.rehearsal.offer_list import OfferList
from chimein_gui.ui.widgets.controls.form_fields import LineField
from chimein_gui.ui.widgets.surfaces.empty_state import EmptyState

if TYPE_CHECKING:
    from PySide6.QtGui import QKeyEvent


class FaultsPage(QWidget):
    """Search field, list and form."""

    def __init__(self, context: PaneContext) -> None:
        super().__init__()
        self._rehearsal = context.models.rehearsal
        self.search = LineField(
            context.theme, self.tr("Search faults"), hint=self.tr("Search: flood, timeout, 429 …"), icon="search"
        )
        self.list = OfferList(context.theme, self._rehearsal)
        self.form = FaultForm(context)
        self._nothing = EmptyState(context.theme, "search")
        # Else the list could not be lower than the text of its empty state.
        self._nothing.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Ignored)
        self._stack = QStackedWidget()
        self._stack.addWidget(self.list)
        self._stack.addWidget(self._nothing)
        top = QVBoxLayout()
        top.setContentsMargins(12, 2, 12, 4)
        top.addWidget(self.search)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addLayout(top)
        column.addWidget(self._stack, 1)
        column.addWidget(self.form)
        self.search.textChanged.connect(self._narrow)
        self.search.stepped_down.connect(self._go_down)
        self.search.returnPressed.connect(self._go_down)
        self.list.offer_chosen.connect(self.form.set_offer)
        self.list.entered.connect(self.form.enter)
        self.form.closed.connect(self._close_form)
        self.list.offers.modelReset.connect(self._say_nothing)
        self._say_nothing()

    def focus_widget(self) -> QWidget:
        """Return the widget that gets the focus when the page is entered."""
        return self.search

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape and self.form.isVisible():
            self._close_form()
            return
        super().keyPressEvent(event)

    def _narrow(self, words: str) -> None:
        chosen = self.list.chosen()
        self.list.offers.search(words)
        if chosen is None or not self.list.choose(chosen.name):
            self.form.set_offer(None)

    def _go_down(self) -> None:
        if self.list.chosen() is None:
            self.list.choose_first()
        self.list.setFocus(Qt.FocusReason.OtherFocusReason)

    def _close_form(self) -> None:
        self.list.setCurrentIndex(self.list.model().index(-1, 0))
        self.form.set_offer(None)
        self.list.setFocus(Qt.FocusReason.OtherFocusReason)

    def _say_nothing(self) -> None:
        found = self.list.offers.rowCount() > 0
        if self._rehearsal.cast.faults:
            self._nothing.say(self.tr("No such fault"), self.tr("Search for another word, or clear the field."))
        else:
            self._nothing.say(self.tr("No faults here"), self.tr("This sandbox offers no faults."))
        self._stack.setCurrentWidget(self.list if found else self._nothing)
