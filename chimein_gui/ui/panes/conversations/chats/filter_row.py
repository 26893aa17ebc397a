"""The filter of the tree: all chats, those that need the operator, or unread ones; and a search field for names."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QRectF, QSize, Qt, QTimer, Signal
from PySide6.QtGui import QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QButtonGroup, QHBoxLayout, QMenu, QPushButton, QSizePolicy, QVBoxLayout

from chimein_gui.ui.widgets.controls.icon_button import IconButton
from chimein_gui.ui.widgets.controls.overflow import Entry, Overflow, offer_first
from chimein_gui.ui.widgets.surfaces.menus import open_below
from chimein_gui.ui.widgets.surfaces.surface import Surface
from chimein_gui.ui.widgets.text.elision import elided
from chimein_gui.ui.widgets.theme import marks
from chimein_gui.ui.widgets.theme.control_colours import Role, colours_of, draw_ground, draw_ring, state_of
from chimein_gui.ui.widgets.theme.mirror import follow_layout, set_rtl_margins
from chimein_gui.ui.widgets.theme.theme import Face, Theme
from chimein_gui.viewmodels.chats.show import Show

if TYPE_CHECKING:
    from chimein_gui.ui.widgets.controls.form_fields import NameField
    from chimein_gui.viewmodels.chats.chats import ChatTreeModel

PADS = (9, 4)
"""At the sides of a word: as usual, and with little room."""

GAP = 3
USUAL_MOST = 99
"""Numbers up to this do not change the layout, for which their width is reserved."""

MARGINS = (10, 7, 8, 8)
SHORT_WORD = 4
TYPING_MS = 120
"""Time after the last key until the tree is searched, ms."""


class FilterButton(QPushButton):
    """A word with a number; checked while it is the filter."""

    def __init__(self, theme: Theme, word: str, token: str) -> None:
        super().__init__()
        self._theme, self._word, self._token, self._number = theme, word, token, 0
        self._pad = PADS[0]
        self.setCheckable(True)
        self.setAutoExclusive(True)  # for screen readers, which are told of a radio button
        self.setAutoDefault(False)
        self.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Fixed)
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        theme.changed.connect(self.update)
        self.setAccessibleName(word)

    def set_number(self, number: int) -> None:
        """Set the number of chats; 0 is not shown."""
        if number == self._number:
            return  # counts change often, and another width causes a layout of the whole row
        before, self._number = self._number, number
        self.setAccessibleName(f"{self._word} {number}" if number else self._word)
        if self.width_for(number, self._pad) != self.width_for(before, self._pad):
            self.updateGeometry()
        self.update()

    def set_pad(self, pad: int) -> None:
        """Set the padding at both sides, px."""
        if pad != self._pad:
            self._pad = pad
            self.updateGeometry()
            self.update()

    def width_for(self, number: int, pad: int) -> int:
        """Return the width with a number, 0 for none; logical pixels."""
        metrics = self._theme.metrics(Face.SMALL_STRONG)
        width = metrics.horizontalAdvance(self._word) + 2 * pad
        return round(width + (metrics.horizontalAdvance(str(number)) + 6 if number else 0))

    def usual_width(self, pad: int, *, counted: bool) -> int:
        """Return the width with the number `USUAL_MOST` or a larger current one if `counted`; logical pixels."""
        return self.width_for(max(USUAL_MOST, self._number) if counted else 0, pad)

    def sizeHint(self) -> QSize:
        height = max(26, round(self._theme.metrics(Face.SMALL_STRONG).height() * 1.75))
        return QSize(self.width_for(self._number, self._pad), height)

    def minimumSizeHint(self) -> QSize:
        whole = self.sizeHint()
        # A short word is never elided.
        return whole if len(self._word) <= SHORT_WORD else QSize(2 * self._pad + 36, whole.height())

    def paintEvent(self, event: QPaintEvent) -> None:
        painter, theme = QPainter(self), self._theme
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        follow_layout(painter, self)
        frame = QRectF(self.rect()).adjusted(0.5, 0.5, -0.5, -0.5)
        colours = colours_of(theme, Role.TAB, state_of(self))
        draw_ground(painter, colours, frame, 7)
        draw_ring(painter, colours, frame.adjusted(1, 1, -1, -1), 6)
        face = Face.SMALL_STRONG if self.isChecked() else Face.SMALL
        painter.setFont(theme.font(face))
        number = str(self._number) if self._number else ""
        metrics = theme.metrics(face)
        room = self.width() - 2 * self._pad - (metrics.horizontalAdvance(number) + 6 if number else 0)
        word = elided(metrics, self._word, room + 1)
        painter.setPen(colours.ink)
        rect = QRectF(self._pad, 0, room + 2, self.height())
        marks.draw_words(painter, rect, word)
        if number:
            painter.setFont(theme.font(Face.SMALL_STRONG))
            painter.setPen(theme.color(self._token))
            left = self._pad + metrics.horizontalAdvance(word) + 6
            marks.draw_words(painter, QRectF(left, 0, self.width() - left, self.height()), number)
        painter.end()


class FilterRow(Surface):
    """Sets the filter of the tree's model.

    Attributes:
        entered: The tree shall get the focus.
    """

    entered = Signal()

    _chats: ChatTreeModel
    field: NameField

    def __init__(self, theme: Theme) -> None:
        super().__init__(theme, "pane", bottom_line="line")
        self._theme = theme
        self.setAccessibleName(self.tr("Which chats"))
        self.buttons = {
            Show.ALL: FilterButton(self._theme, self.tr("All"), "text2"),
            Show.NEEDS_YOU: FilterButton(self._theme, self.tr("Needs you"), "attention"),
            Show.UNREAD: FilterButton(self._theme, self.tr("Unread"), "text2"),
        }
        self._counted = (0, 0)
        self._group = QButtonGroup(self)
        self.more = IconButton(self._theme, "dots", self.tr("More filters"), opens=True)
        self.search = IconButton(self._theme, "filter", self.tr("Filter by name"), stays=True)
        self._typing = QTimer(self)
        self._typing.setSingleShot(True)
        self._typing.setInterval(TYPING_MS)
        self._typing.timeout.connect(self._ask)
        self._build()
        self._theme.fonts_changed.connect(self._fit)

    def follow(self, chats: ChatTreeModel) -> None:
        """Filter this model, and show its counts."""
        self._chats = chats
        self._add_field()
        self._group.idToggled.connect(lambda _place, checked: self._choose() if checked else None)
        chats.feed.chats_changed.connect(lambda _ids: self._count())
        self._count()

    def begin_search(self) -> None:
        """Focus the search field."""
        self.search.setChecked(True)
        self.field.setFocus()
        self.field.selectAll()

    def clear(self) -> None:
        """Reset the filter and the search, and focus the tree."""
        self.field.clear()
        self.search.setChecked(False)
        self.buttons[Show.ALL].setChecked(True)
        self._ask()
        self.entered.emit()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()

    def _build(self) -> None:
        row = QHBoxLayout()
        row.setSpacing(GAP)
        for place, button in enumerate(self.buttons.values()):
            self._group.addButton(button, place)
            row.addWidget(button)
        row.addWidget(self.more)
        row.addStretch(1)
        row.addWidget(self.search)
        self.more.hide()
        self.more.clicked.connect(self._offer_more)
        self._column = column = QVBoxLayout(self)
        set_rtl_margins(column, *MARGINS)
        column.setSpacing(7)
        column.addLayout(row)
        self.buttons[Show.ALL].setChecked(True)

    def _add_field(self) -> None:
        """Add the search field; it is hidden at first, and the first paint does not wait for it."""
        from chimein_gui.ui.widgets.controls.form_fields import NameField

        self.field = NameField(self._theme, self.tr("Name of a chat"), hint=self.tr("Name"), icon="search")
        self._column.addWidget(self.field)
        self.field.hide()
        self.search.toggled.connect(self._show_field)
        self.field.textChanged.connect(lambda _text: self._typing.start())
        self.field.stepped_down.connect(self._enter)
        self.field.left.connect(self.cancel)

    def _fit(self) -> None:
        """Show the buttons that fit, the checked one first; the others are in the menu of "More"."""
        buttons = tuple(self.buttons.values())
        room = self.width() - MARGINS[0] - MARGINS[2] - self.search.sizeHint().width() - GAP
        forms = [[button.usual_width(pad, counted=bool(at)) for at, button in enumerate(buttons)] for pad in PADS]
        chosen, by_need = self._group.checkedId(), (1, 0, 2)
        order = (chosen, *(place for place in by_need if place != chosen))
        fit = Overflow(GAP, self.more.sizeHint().width(), order=order).fit(room, forms)
        had_focus = any(button.hasFocus() and place not in fit.shown for place, button in enumerate(buttons))
        for place, button in enumerate(buttons):
            button.set_pad(PADS[fit.form])
            button.setVisible(place in fit.shown)
        self.more.setVisible(fit.has_more)
        if had_focus:
            self.more.setFocus()

    def _offer_more(self) -> None:
        menu = QMenu(self)
        menu.aboutToHide.connect(menu.deleteLater)
        hidden = [button for button in self.buttons.values() if button.isHidden()]
        offer_first(menu, (Entry(one.accessibleName(), one.click, is_checked=one.isChecked()) for one in hidden))
        open_below(menu, self.more)

    def _choose(self) -> None:
        self._fit()
        self._ask()

    def _show_field(self, shown: bool) -> None:
        self.field.setVisible(shown)
        if shown:
            self.field.setFocus()
        else:
            self.field.clear()
            self._ask()

    def _enter(self) -> None:
        self._ask()
        self.entered.emit()

    def cancel(self) -> None:
        """Clear the search, and focus the tree; the filter stays."""
        if self.search.isChecked():
            self.search.setChecked(False)
            self.entered.emit()

    def _ask(self) -> None:
        self._typing.stop()
        show = list(self.buttons)[self._group.checkedId()]
        self._chats.ask(show, self.field.text())

    def _count(self) -> None:
        pending, unread = self._chats.needs()
        if (pending, unread) == self._counted:
            return
        before, self._counted = self._counted, (pending, unread)
        self.buttons[Show.NEEDS_YOU].set_number(pending)
        self.buttons[Show.UNREAD].set_number(unread)
        if max(*before, pending, unread) > USUAL_MOST:  # else there is room for these numbers
            self._fit()
