"""The rail at the leading edge: a button for each pane of `Group.WORK`, and a menu button for each other group."""

from __future__ import annotations

from collections.abc import Set
from functools import partial

from PySide6.QtCore import QCoreApplication, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QAction, QFontMetricsF, QPainter, QPaintEvent
from PySide6.QtWidgets import QMenu, QSizePolicy, QToolBar, QToolButton, QVBoxLayout, QWidget

from chimein_gui.ui.pane import Group, PaneSpec
from chimein_gui.ui.widgets.controls.spoken_buttons import tell_in_use, tell_menu, tell_tab
from chimein_gui.ui.widgets.surfaces.menus import open_menu
from chimein_gui.ui.widgets.theme import icons
from chimein_gui.ui.widgets.theme.control_colours import Role, colours_of, draw_tile, state_of
from chimein_gui.ui.widgets.theme.theme import Face, Theme

WIDE, NARROW = 64, 48
TILE = 6


class RailButton(QToolButton):
    """An icon with a word.

    A teal bar marks the pane in use, a grey one an open pane, and a badge the number of items.
    """

    def __init__(self, theme: Theme, icon: str, word: str, tip: str, *, has_age: bool = False) -> None:
        """Create a button without a badge.

        Args:
            theme: Colours and fonts.
            icon: Name of the icon.
            word: Shown below the icon.
            tip: The word and the shortcut.
            has_age: Reserve space for the age of the oldest item, so that the rail does not move when it appears.
        """
        super().__init__()
        self._theme, self._icon, self._word = theme, icon, word
        self._active = self._open = self._compact = False
        self._badge, self._age, self._is_old, self._tip, self._has_age = 0, "", False, tip, has_age
        self.setToolTip(tip)
        self.setAccessibleName(word)
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        theme.changed.connect(self.update)
        theme.fonts_changed.connect(self.updateGeometry)

    def set_compact(self, compact: bool) -> None:
        """Hide or show the word."""
        self._compact = compact
        self.updateGeometry()

    def set_state(self, *, active: bool, is_open: bool) -> None:
        """Show whether the pane is in use, and whether it is visible."""
        if (active, is_open) != (self._active, self._open):
            self._active, self._open = active, is_open
            tell_in_use(self, in_use=active)
            self.update()

    def set_badge(self, number: int) -> None:
        """Show the number of waiting items."""
        if number != self._badge:
            self._badge = number
            self._name()

    def set_age(self, age: str, *, is_old: bool) -> None:
        """Show the age of the oldest waiting item, in amber if `is_old`."""
        if (age, is_old) != (self._age, self._is_old):
            self._age, self._is_old = age, is_old
            self._name()

    def _name(self) -> None:
        waits = self.tr("{n} waiting").format(n=self._badge)
        if self._badge and self._age:
            waits = self.tr("{waiting}, oldest {age}").format(waiting=waits, age=self._age)
        self.setAccessibleName(f"{self._word}, {waits}" if self._badge else self._word)
        self.setToolTip(f"{self._tip}\n{waits}" if self._badge else self._tip)
        self.update()

    def sizeHint(self) -> QSize:
        grown = self._badge_height() - 16 + self._age_height()
        if self._compact:
            return QSize(NARROW, round(42 + grown))
        metrics = QFontMetricsF(self._theme.font(Face.META))
        width = max(WIDE, round(metrics.horizontalAdvance(self._word)) + 2 * (TILE + 3))  # the word fits
        return QSize(width, max(52, round(metrics.height() + 38 + grown)))

    def minimumSizeHint(self) -> QSize:
        return self.sizeHint()

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        theme, width = self._theme, float(self.width())
        tile = QRectF(TILE, 2, width - 2 * TILE, self.height() - 4)
        if self._compact:
            tile = QRectF(5, 2, width - 10, self.height() - 4)
        colours = colours_of(theme, Role.RAIL, state_of(self)._replace(checked=self._active))
        draw_tile(painter, colours, tile, 8)
        if self._active or self._open:
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(colours.edge)
            edge = width - 3 if self.isRightToLeft() else -2.0
            painter.drawRoundedRect(QRectF(edge, tile.center().y() - 9, 5, 18), 2, 2)
        ink = colours.ink
        # A badge with large text grows upwards, so that it does not cover the icon.
        grown = self._badge_height() - 16
        age = self._age_height()
        shown = age if self._age and self._badge else 0.0
        top = tile.top() + 6 + grown + (age - shown) / 2
        if self._compact:
            top = (self.height() - 20 + grown - shown) / 2
        icons.draw(painter, self._icon, ink, QRectF((width - 20) / 2, top, 20, 20))
        if not self._compact:
            painter.setFont(theme.font(Face.META))
            painter.setPen(ink)
            label = QRectF(0, top + 21, width, self.height() - top - 21)
            painter.drawText(label, Qt.AlignmentFlag.AlignHCenter | Qt.AlignmentFlag.AlignTop, self._word)
        if shown:
            painter.setFont(theme.font(Face.META_STRONG if self._is_old else Face.META))
            painter.setPen(theme.color("attention" if self._is_old else "text3"))
            place = QRectF(0, tile.bottom() - age - 1, width, age)
            painter.drawText(place, Qt.AlignmentFlag.AlignHCenter | Qt.AlignmentFlag.AlignTop, self._age)
        if self._badge:
            self._paint_badge(painter, width / 2 + 5, top - 5 - grown)
        painter.end()

    def _age_height(self) -> float:
        return self._theme.metrics(Face.META).height() if self._has_age else 0.0

    def _badge_height(self) -> float:
        return max(16.0, self._theme.metrics(Face.META_STRONG).height() + 1)

    def _paint_badge(self, painter: QPainter, left: float, top: float) -> None:
        theme = self._theme
        text = str(self._badge) if self._badge < 100 else "99+"
        metrics = theme.metrics(Face.META_STRONG)
        height = self._badge_height()
        size = max(height, metrics.horizontalAdvance(text) + 8)
        rect = QRectF(min(left, self.width() - size - 1), top, size, height)
        if self.isRightToLeft():
            rect.moveRight(self.width() - rect.left())
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(theme.color("attention"))
        painter.drawRoundedRect(rect, height / 2, height / 2)
        painter.setPen(theme.color("card" if not theme.tokens.dark else "attention_soft"))
        painter.setFont(theme.font(Face.META_STRONG))
        painter.drawText(rect, Qt.AlignmentFlag.AlignCenter, text)


class Rail(QToolBar):
    """The buttons of all panes, and the menu button at the bottom.

    Attributes:
        pane_requested: A pane's button was pressed; carries the pane id.
        menu_requested: The menu button was pressed.
    """

    pane_requested = Signal(str)
    menu_requested = Signal()

    def __init__(self, theme: Theme, panes: tuple[PaneSpec, ...]) -> None:
        super().__init__()
        self.setObjectName("rail")
        self.setWindowTitle(self.tr("Panes"))
        self.setMovable(False)
        self.setFloatable(False)
        self.toggleViewAction().setEnabled(False)
        self.setContextMenuPolicy(Qt.ContextMenuPolicy.PreventContextMenu)
        self.buttons: dict[str, RailButton] = {}
        inside = QWidget()
        inside.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Expanding)
        column = QVBoxLayout(inside)
        column.setContentsMargins(0, 6, 0, 8)
        column.setSpacing(0)
        self._members: dict[RailButton, tuple[str, ...]] = {}
        self._badges: dict[str, int] = {}
        self._entries: dict[str, tuple[QAction, str]] = {}
        self._ages: dict[str, tuple[str, bool]] = {}
        for pane in panes:
            if pane.group is Group.WORK:
                word = QCoreApplication.translate("Panes", str(pane.title))
                tip = f"{word} ({pane.shortcut})"
                button = RailButton(theme, pane.icon, word, tip, has_age=pane.oldest is not None)
                tell_tab(button)
                button.clicked.connect(partial(self._ask_for, pane.pane_id))
                self.buttons[pane.pane_id] = button
                self._add(column, button, (pane.pane_id,))
        self.menus: dict[Group, QMenu] = {}
        for group, icon, word in (
            (Group.INSPECT, "eye", self.tr("Inspect")),
            (Group.TOOLS, "plug", self.tr("Tools")),
        ):
            members = tuple(pane for pane in panes if pane.group is group)
            if members:
                button = RailButton(theme, icon, word, word)
                tell_menu(button)
                self.menus[group] = self._menu_of(members, button)
                button.clicked.connect(partial(self._pop, self.menus[group], button))
                self._add(column, button, tuple(pane.pane_id for pane in members))
        column.addStretch(1)
        self.menu_button = RailButton(theme, "menu", self.tr("Menu"), self.tr("All commands"))
        tell_menu(self.menu_button)
        self.menu_button.clicked.connect(self.menu_requested)
        column.addWidget(self.menu_button)
        self.addWidget(inside)
        self._fit()
        theme.fonts_changed.connect(self._fit)

    def set_compact(self, compact: bool) -> None:
        """Show icons without words in a small window."""
        for button in self._all():
            button.set_compact(compact)
        self._fit()

    def show_state(self, active: str, in_sight: Set[str]) -> None:
        """Show which pane is in use, and which are visible."""
        for button, members in self._members.items():
            button.set_state(active=active in members, is_open=not in_sight.isdisjoint(members))

    def set_badge(self, pane_id: str, number: int) -> None:
        """Show the number of waiting items of a pane; a group shows the sum of its panes, and each in its menu."""
        self._badges[pane_id] = number
        if pane_id in self._entries:
            action, word = self._entries[pane_id]
            action.setText(f"{word} ({number})" if number else word)
        for button, members in self._members.items():
            if pane_id in members:
                button.set_badge(sum(self._badges.get(one, 0) for one in members))

    def set_age(self, pane_id: str, age: str, is_old: bool) -> None:
        """Show the age of a pane's oldest waiting item; the button of a group names it in its tip."""
        self._ages[pane_id] = age, is_old
        for button, members in self._members.items():
            if pane_id in members:
                known = [self._ages[one] for one in members if one in self._ages and self._ages[one][0]]
                words, old = max(known, key=lambda one: one[1], default=("", False))
                button.set_age(words, is_old=old)

    def _add(self, column: QVBoxLayout, button: RailButton, members: tuple[str, ...]) -> None:
        self._members[button] = members
        column.addWidget(button)

    def _menu_of(self, members: tuple[PaneSpec, ...], parent: QWidget) -> QMenu:
        menu = QMenu(parent)
        for pane in members:
            word = QCoreApplication.translate("Panes", str(pane.title))
            action = menu.addAction(word)
            self._entries[pane.pane_id] = action, word
            action.setObjectName(pane.pane_id)
            action.triggered.connect(partial(self._ask_for, pane.pane_id))
        return menu

    def _ask_for(self, pane_id: str, _checked: bool = False) -> None:
        self.pane_requested.emit(pane_id)

    def _pop(self, menu: QMenu, button: RailButton, _checked: bool = False) -> None:
        corner = button.rect().topLeft() if self.isRightToLeft() else button.rect().topRight()
        open_menu(menu, button.mapToGlobal(corner), button.accessibleName())

    def _all(self) -> tuple[RailButton, ...]:
        return (*self._members, self.menu_button)

    def _fit(self) -> None:
        """Set the width at once; the layouts would adapt it only one or two frames later."""
        self.setFixedWidth(max(button.sizeHint().width() for button in self._all()))
