"""Popup menus that screen readers can find, with a name and a current item."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, Qt
from PySide6.QtGui import QAccessible, QAccessibleInterface, QAction, QActionGroup, QKeyEvent
from PySide6.QtWidgets import QAbstractButton, QAccessibleWidget, QApplication, QMainWindow, QMenu

if TYPE_CHECKING:
    from collections.abc import Iterable

    from PySide6.QtCore import QObject, QPoint

_CLOSES = "closes_when_triggered"


def open_menu(menu: QMenu, place: QPoint, name: str = "") -> QMenu:
    """Open a menu at a position on the screen; the current item is the one in force, else the first.

    Args:
        menu: The menu.
        place: Position on the screen.
        name: What it is about, for screen readers; empty: it has a name already.
    """
    if name:
        menu.setAccessibleName(name)
    if menu.property(_CLOSES) is None:
        menu.setProperty(_CLOSES, "yes")
        # An action that a screen reader does leaves its menu open; keys and clicks have closed it by then.
        menu.triggered.connect(lambda _action: menu.close())
    menu.popup(place)
    chosen = [one for one in menu.actions() if one.isChecked() and one.actionGroup() is not None]
    if chosen:
        menu.setActiveAction(chosen[0])
    else:  # as by key: Qt opens the submenu of an action that is made active in another way
        QApplication.sendEvent(menu, QKeyEvent(QEvent.Type.KeyPress, Qt.Key.Key_Down, Qt.KeyboardModifier.NoModifier))
    return menu


def open_below(menu: QMenu, button: QAbstractButton) -> QMenu:
    """Open a menu below its button, with the button's name unless it has one."""
    name = menu.accessibleName() or button.accessibleName() or button.text()
    return open_menu(menu, button.mapToGlobal(button.rect().bottomLeft()), name)


def make_exclusive(menu: QMenu, actions: Iterable[QAction]) -> None:
    """Make actions of a menu choices of which one is in force."""
    group = QActionGroup(menu)
    for action in actions:
        action.setActionGroup(group)


@cache
def report_menus() -> None:
    """Report the open menu as a child of the main window. Call it before the window is made."""
    QAccessible.installFactory(_made)


def _open_one() -> QMenu | None:
    """Return the open menu without its submenus."""
    menu = QApplication.activePopupWidget()
    while isinstance(menu, QMenu) and isinstance(menu.parentWidget(), QMenu):
        menu = menu.parentWidget()
    return menu if isinstance(menu, QMenu) else None


class _WindowRole(QAccessibleWidget):
    """Qt reports no popups, so that nobody but the keyboard could get into an open menu."""

    def __init__(self, window: QMainWindow) -> None:
        super().__init__(window, QAccessible.Role.Window)

    def childCount(self) -> int:
        return super().childCount() + (_open_one() is not None)

    def child(self, index: int) -> QAccessibleInterface | None:  # type: ignore[override]
        own = super().childCount()
        if index < own:
            return super().child(index)
        menu = _open_one() if index == own else None
        return QAccessible.queryAccessibleInterface(menu) if menu is not None else None

    def indexOfChild(self, child: QAccessibleInterface) -> int:
        menu = _open_one()
        if menu is not None and child.object() is menu:
            return super().childCount()
        return super().indexOfChild(child)


def _made(_key: str, thing: QObject | None) -> QAccessibleWidget | None:
    return _WindowRole(thing) if isinstance(thing, QMainWindow) else None
