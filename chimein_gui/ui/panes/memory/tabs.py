"""The tabs of the Memory pane, and the page of the selected one."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QHBoxLayout, QStackedWidget, QVBoxLayout, QWidget

from chimein_gui.ui.widgets.controls.segments import Segments
from chimein_gui.ui.widgets.surfaces.surface import Surface
from chimein_gui.ui.widgets.theme.mirror import set_rtl_margins

if TYPE_CHECKING:
    from chimein_gui.ui.widgets.theme.theme import Theme


class Tabs(QWidget):
    """A head with the tabs, and below it one page at a time.

    Attributes:
        changed: Another page is shown; carries its place.
        segments: The tabs.
        head: Their row; widgets of all pages stand at its trailing edge.
    """

    changed = Signal(int)

    def __init__(self, theme: Theme, name: str, pages: tuple[tuple[str, QWidget], ...]) -> None:
        """Show the first page.

        Args:
            theme: Colours and fonts.
            name: What the tabs select, for screen readers.
            pages: The word of each tab, and its page.
        """
        super().__init__()
        self.segments = Segments(theme, tuple(word for word, _page in pages), name)
        self._pages = QStackedWidget()
        for _word, page in pages:
            self._pages.addWidget(page)
        bar = Surface(theme, "pane", bottom_line="line")
        self.head = QHBoxLayout(bar)
        set_rtl_margins(self.head, 12, 5, 8, 6)
        self.head.setSpacing(8)
        self.head.addWidget(self.segments)
        self.head.addStretch(1)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(bar)
        column.addWidget(self._pages, 1)
        self.segments.chosen.connect(self.show_page)
        self.show_page(0)

    @property
    def place(self) -> int:
        """The place of the page that is shown."""
        return self._pages.currentIndex()

    def place_of(self, page: QWidget) -> int:
        """Return the place of a page."""
        return self._pages.indexOf(page)

    def show_page(self, place: int) -> None:
        """Show another page."""
        self.segments.choose(place)
        if place != self.place:
            self._pages.setCurrentIndex(place)
            self.changed.emit(place)
