"""A message within a form or pane: why something was refused, what was done, or what the operator should know."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from PySide6.QtCore import QRect, Qt
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from chimein_gui.ui.widgets.controls.spoken_role import announce, speak_as_alert
from chimein_gui.ui.widgets.surfaces.surface import Surface, soft_ground
from chimein_gui.ui.widgets.text import foreign_text
from chimein_gui.ui.widgets.text.labels import PlainLabel
from chimein_gui.ui.widgets.theme import icons
from chimein_gui.ui.widgets.theme.marks import IconLabel
from chimein_gui.ui.widgets.theme.mirror import from_leading_edge, set_rtl_margins
from chimein_gui.ui.widgets.theme.theme import Face, Theme

if TYPE_CHECKING:
    from PySide6.QtGui import QPainter

MOST_CHARACTERS = 400

_HIGHEST = 10_000
"""More than any text is high, px."""


@dataclass(frozen=True, slots=True)
class Look:
    """The measures of a message in a certain place, px."""

    face: Face
    icon: int
    side: int
    above: int
    gap: int
    radius: int


LINE = Look(Face.SMALL, icon=14, side=0, above=0, gap=6, radius=0)
"""Below a field, without a background, in the colour of the icon."""

ROW = Look(Face.SMALL, icon=16, side=9, above=6, gap=7, radius=6)
"""Between rows and buttons."""

DIALOG = Look(Face.BODY, icon=16, side=13, above=10, gap=9, radius=6)
"""Between the fields of a dialog."""

BOX = Look(Face.STRONG, icon=18, side=14, above=9, gap=12, radius=8)
"""With a frame; may have a sentence below its title, and buttons at its end."""


class InlineMessage(Surface):
    """Icon and text that wraps, on a light background of the icon's colour; hidden while it is empty."""

    def __init__(
        self,
        theme: Theme,
        look: Look = ROW,
        icon_label: IconLabel | None = None,
        words: str = "",
        *,
        is_alert: bool = False,
    ) -> None:
        """Create a message, hidden if `icon_label` is None.

        Args:
            theme: Fonts and colours.
            look: The place where it is used.
            icon_label: Icon, title and colour.
            words: A sentence below the title.
            is_alert: Screen readers read new texts at once.
        """
        super().__init__(theme, radius=look.radius)
        self._look, self._is_alert = look, is_alert
        self._icon_label: IconLabel | None = None
        self._title = PlainLabel(theme, "", look.face)
        self._words = PlainLabel(theme, "", Face.SMALL, "text2")
        self._column = column = QVBoxLayout()
        column.setSpacing(2)
        for label in (self._title, self._words):
            label.setWordWrap(True)
            column.addWidget(label)
        if look is not BOX:
            self._title.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self._row = QHBoxLayout(self)
        set_rtl_margins(self._row, look.side + look.icon + look.gap, look.above, look.side, look.above)
        self._row.setSpacing(10)
        self._row.addLayout(column, 1)
        if is_alert:
            speak_as_alert(self)
        if icon_label is None:
            self.hide()
        self._show(icon_label, words)

    def say(self, icon_label: IconLabel | None, words: str = "") -> None:
        """Show an icon with a title and a sentence; None hides the message.

        In a box foreign texts must be sanitized already.
        """
        if (self._icon_label, self._words.text()) != (icon_label, words):
            self._show(icon_label, words)
            self.setVisible(bool(self._title.text()))

    def refuse(self, reason: str) -> None:
        """Show why something was refused; empty hides the message."""
        self.say(IconLabel("alert", reason, "danger") if reason else None)

    def words(self) -> str:
        """Return the title."""
        return self._title.text()

    def add(self, widget: QWidget) -> None:
        """Add a button at the end."""
        self._row.addWidget(widget, 0, Qt.AlignmentFlag.AlignVCenter)

    def add_below(self, *widgets: QWidget) -> None:
        """Add buttons below the text."""
        row = QHBoxLayout()
        row.setContentsMargins(0, 4, 0, 1)
        for widget in widgets:
            row.addWidget(widget)
        row.addStretch(1)
        self._column.addLayout(row)

    def _show(self, icon_label: IconLabel | None, words: str) -> None:
        self._icon_label = icon_label
        title = icon_label.word if icon_label is not None else ""
        if self._look is not BOX:
            title = foreign_text.line(title, MOST_CHARACTERS)
        is_new = bool(title) and title != self._title.text()
        self._title.setText(title)
        self._words.setText(words)
        self._words.setVisible(bool(words))
        self.setAccessibleName(f"{title}. {words}" if words else title)
        self._take_colours()
        if is_new and self._is_alert:
            announce(self, at_once=self._icon_label is not None and self._icon_label.token == "danger")

    def _take_colours(self) -> None:
        if self._icon_label is None:
            return
        token = self._icon_label.token
        if self._look is LINE:
            self._title.set_color(token)
        else:
            self.set_ground(soft_ground(token), frame=token if self._look is BOX else "")
        self.update()

    def _is_one_line(self) -> bool:
        # To ask the label would lay its text out anew, which asks for another painting, and that without an end.
        metrics, room = self._title.fontMetrics(), QRect(0, 0, self._title.width(), _HIGHEST)
        text = metrics.boundingRect(room, Qt.TextFlag.TextWordWrap, self._title.text())
        return not self._words.isVisibleTo(self) and text.height() < 2 * metrics.height()

    def paint_contents(self, painter: QPainter) -> None:
        if self._icon_label is None:
            return
        size = self._look.icon
        first_line = self._title.y() + (self._title.fontMetrics().height() - size) / 2
        top = (self.height() - size) / 2 if self._look is BOX or self._is_one_line() else max(0.0, first_line)
        where = from_leading_edge(self, self._look.side, top, size, size)
        icons.draw(painter, self._icon_label.icon, self._theme.color(self._icon_label.token), where)
