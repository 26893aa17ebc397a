"""Parts of the wide card: a titled section, and blocks with a background."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from chimein_gui.ui.widgets.controls.action_button import ActionButton, Kind
from chimein_gui.ui.widgets.surfaces.surface import Surface
from chimein_gui.ui.widgets.text.labels import ElidedLabel
from chimein_gui.ui.widgets.theme.theme import Face, Theme


class Section(QWidget):
    """A title with a text or link at the end, and contents below.

    Attributes:
        link_pressed: The link was clicked.
    """

    link_pressed = Signal()

    def __init__(self, theme: Theme, title: str, *, link: str = "", above: int = 18) -> None:
        super().__init__()
        self.setAccessibleName(title)
        self.title = ElidedLabel(theme, title, Face.SMALL_STRONG, "text2")
        self.aside = ElidedLabel(theme, "", Face.SMALL, "text3")
        self.aside.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        head = QHBoxLayout()
        head.setSpacing(8)
        head.addWidget(self.title)
        head.addWidget(self.aside, 1)
        if link:
            self.link = ActionButton(theme, link, kind=Kind.LINK)
            self.link.clicked.connect(self.link_pressed)
            head.addWidget(self.link)
        self.column = QVBoxLayout(self)
        self.column.setContentsMargins(0, above, 0, 0)
        self.column.setSpacing(8)
        self.column.addLayout(head)

    def add(self, widget: QWidget) -> None:
        """Add a widget below the title."""
        self.column.addWidget(widget)


class SoftBlock(Surface):
    """A block across the card on a tinted background, with a hairline of the same hue below."""

    def __init__(self, theme: Theme, ground: str, line: str) -> None:
        super().__init__(theme, ground, bottom_line=line)


class Box(Surface):
    """A rounded box with a hairline, for one line of a block."""

    def __init__(self, theme: Theme, ground: str = "card", line: str = "line", radius: float = 6) -> None:
        super().__init__(theme, ground, frame=line, radius=radius)
