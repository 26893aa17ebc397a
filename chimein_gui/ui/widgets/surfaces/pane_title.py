"""The title bar of a pane, with a short text about its state."""

from __future__ import annotations

from PySide6.QtCore import QSize
from PySide6.QtWidgets import QHBoxLayout, QWidget

from chimein_gui.ui.widgets.surfaces.surface import Surface
from chimein_gui.ui.widgets.text.labels import ElidedLabel, PlainLabel
from chimein_gui.ui.widgets.theme.mirror import set_rtl_margins
from chimein_gui.ui.widgets.theme.theme import Face, Theme


class PaneTitle(Surface):
    """36 px high with a hairline below; buttons can be added at the trailing edge."""

    def __init__(self, theme: Theme, title: str) -> None:
        super().__init__(theme, "pane", bottom_line="line")
        self.title = PlainLabel(theme, title, Face.STRONG)
        self.subtitle = ElidedLabel(theme, "", Face.SMALL, "text3")
        self._is_folded = False
        self._inside = QWidget()
        around = QHBoxLayout(self)
        around.setContentsMargins(0, 0, 0, 0)
        around.addWidget(self._inside)
        self._row = QHBoxLayout(self._inside)
        set_rtl_margins(self._row, 14, 0, 6, 0)
        self._row.setSpacing(8)
        self._row.addWidget(self.title)
        self._row.addWidget(self.subtitle, 1)
        theme.fonts_changed.connect(self._fit_height)
        self._fit_height()

    def sizeHint(self) -> QSize:
        # A dock uses the height of the size hint, and ignores a fixed height. It asks dozens of times for each layout.
        return self._size

    def minimumSizeHint(self) -> QSize:
        return self._size

    def set_folded(self, folded: bool) -> None:
        """Collapse the title bar while another widget shows the title."""
        self._is_folded = folded
        self._inside.setVisible(not folded)  # while collapsed it takes no focus, and is hidden from screen readers
        self._fit_height()

    def _fit_height(self) -> None:
        height = max(36, round(self._theme.metrics(Face.STRONG).height() * 2))
        self._size = QSize(120, 0 if self._is_folded else height)
        self.setFixedHeight(self._size.height())

    def add_button(self, button: QWidget) -> None:
        """Add a small button at the trailing edge."""
        self._row.addWidget(button)
