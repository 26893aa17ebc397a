"""The head of the Media pane: search, order, how files are shown; and the facets where there is no room beside."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QHBoxLayout

from chimein_gui.ui.widgets.controls.action_button import ActionButton
from chimein_gui.ui.widgets.controls.form_fields import Choice, LineField
from chimein_gui.ui.widgets.controls.icon_button import IconButton
from chimein_gui.ui.widgets.controls.segments import Segments
from chimein_gui.ui.widgets.surfaces.surface import Surface
from chimein_gui.ui.widgets.text import foreign_text
from chimein_gui.ui.widgets.text.labels import PlainLabel
from chimein_gui.ui.widgets.theme.mirror import set_rtl_margins
from chimein_gui.ui.widgets.theme.theme import Face
from chimein_gui.viewmodels.media_library.facets import Facet
from chimein_gui.viewmodels.media_library.groups import Order
from chimein_gui.viewmodels.media_library.words import order_words

if TYPE_CHECKING:
    from chimein_gui.ui.pane import PaneContext
    from chimein_gui.viewmodels.media_library.facet_rows import FacetRows
    from chimein_gui.viewmodels.media_library.model import MediaLibraryModel


class Head(Surface):
    """One row.

    Attributes:
        shown_as: Lines are wanted instead of cells, or cells again.
        played: All files shall move, or only the selected one.
    """

    shown_as = Signal(bool)
    played = Signal(bool)

    def __init__(self, context: PaneContext, library: MediaLibraryModel, facets: FacetRows) -> None:
        theme = context.theme
        super().__init__(theme, "pane", bottom_line="line")
        self._library, self._facets, self._has_choice = library, facets, False
        find = self.tr("Search descriptions, names, sets")
        self.box = LineField(theme, find, hint=find, icon="search")
        self.order = Choice(theme, self.tr("Sort"))
        self.order.set_entries((order_words(one), one) for one in Order)
        self.choice = Choice(theme, self.tr("Show only"))
        self.play = IconButton(theme, "play", self.tr("Let everything move"), stays=True)
        self.segments = Segments(theme, (self.tr("Grid"), self.tr("List")), self.tr("Show as"))
        self.segments.choose(0)
        self.triage = ActionButton(theme, self.tr("Triage"), key="T")
        self.import_set = ActionButton(theme, self.tr("Import a set…"), icon="download")
        self.row = QHBoxLayout(self)
        set_rtl_margins(self.row, 16, 7, 12, 8)
        self.row.setSpacing(8)
        self.row.addWidget(self.box, 3)
        self.row.addStretch(2)
        self.row.addWidget(PlainLabel(theme, self.tr("Sort"), Face.SMALL, "text2"))
        self.row.addWidget(self.order, 2)
        self.row.addWidget(self.choice, 2)
        self.row.addWidget(self.play)
        self.row.addWidget(self.segments)
        self.row.addWidget(self.triage)
        self.row.addWidget(self.import_set)
        self.choice.hide()
        self.box.textChanged.connect(library.filter.search)
        self.order.activated.connect(lambda _place: library.set_order(self.order.currentData()))
        self.choice.activated.connect(self._choose)
        self.play.toggled.connect(self.played)
        self.segments.chosen.connect(lambda place: self.shown_as.emit(place == 1))
        library.changed.connect(self._fill)

    def show_facets(self, shown: bool) -> None:
        """Show the facets as a combo box if there are any, or not."""
        self._has_choice = shown
        self._fill()

    def _fill(self) -> None:
        if not self._has_choice:
            self.choice.hide()
            return
        listed = [self._facets.item(row) for row in range(self._facets.rowCount())]
        facets = [one for one in listed if isinstance(one, Facet)]
        entries = [(f"{foreign_text.line(self._facets.words(one), 40)} {one.count}", one) for one in facets]
        chosen = next((one for one in reversed(facets) if self._facets.is_chosen(one)), None)
        self.choice.set_entries(entries, chosen)
        self.choice.setVisible(bool(facets))

    def _choose(self, _place: int) -> None:
        facet = self.choice.currentData()
        if isinstance(facet, Facet):
            self._library.filter.clear_facets()
            if not self._facets.is_chosen(facet):
                self._library.filter.choose(facet.section, facet.value)
