"""What screen readers are told of painted buttons: that they open a menu, or a pane, and which is in use."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

from PySide6.QtGui import QAccessible, QAccessibleEvent
from PySide6.QtWidgets import QAbstractButton, QAccessibleWidget

if TYPE_CHECKING:
    from PySide6.QtCore import QObject

_KIND = "spoken_button"
_OPENS, _TAB = "opens a menu", "page tab"
_IN_USE = "is_in_use"


def tell_menu(button: QAbstractButton) -> None:
    """Tell screen readers that a button opens a menu."""
    _mark(button, _OPENS)


def tell_tab(button: QAbstractButton) -> None:
    """Tell screen readers that a button is a page tab; `tell_in_use` says which one is selected."""
    _mark(button, _TAB)


def tell_in_use(button: QAbstractButton, *, in_use: bool) -> None:
    """Tell screen readers whether what a button opens is in use."""
    button.setProperty(_IN_USE, in_use)
    if QAccessible.isActive() and in_use:
        QAccessible.updateAccessibility(QAccessibleEvent(button, QAccessible.Event.Selection))


def _mark(button: QAbstractButton, kind: str) -> None:
    _install()
    button.setProperty(_KIND, kind)
    if QAccessible.isActive():
        # Qt has created its interface with the button, before it had this role.
        QAccessible.deleteAccessibleInterface(QAccessible.uniqueId(QAccessible.queryAccessibleInterface(button)))


class _Button(QAccessibleWidget):
    def __init__(self, button: QAbstractButton, role: QAccessible.Role) -> None:
        super().__init__(button, role)
        self._button = button

    def state(self) -> QAccessible.State:
        state, button = super().state(), self._button
        if button.property(_KIND) == _OPENS:
            state.hasPopup = 1
        else:
            state.selectable = 1
        if button.property(_IN_USE):
            state.selected = 1
        return state

    def text(self, kind: QAccessible.Text) -> str:
        words = super().text(kind)
        return self._button.text() if kind is QAccessible.Text.Name and not words else words

    def actionNames(self) -> list[str]:
        own = super().actionNames()
        return ["Press", *own] if self._button.isEnabled() else own

    def doAction(self, name: str) -> None:
        if name == "Press":
            self._button.click()
        else:
            super().doAction(name)


@cache
def _install() -> None:
    QAccessible.installFactory(_made)


def _made(_key: str, thing: QObject | None) -> QAccessibleWidget | None:
    kind = thing.property(_KIND) if isinstance(thing, QAbstractButton) else None
    if not isinstance(thing, QAbstractButton) or kind is None:
        return None
    return _Button(thing, QAccessible.Role.PageTab if kind == _TAB else QAccessible.Role.Button)
