"""What screen readers are told of the tabs of docks: only the one with the keyboard focus says that it has it.

Qt says of the selected tab of each bar that it has the focus, wherever the keyboard is. Qt makes these bars itself, so
that their tabs are told by stand-ins: buttons that are never shown.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

from PySide6.QtCore import QPoint, QRect
from PySide6.QtGui import QAccessible, QAccessibleInterface
from PySide6.QtWidgets import QAbstractButton, QAccessibleWidget, QTabBar

if TYPE_CHECKING:
    from PySide6.QtCore import QObject
    from PySide6.QtGui import QPaintEvent


class _StandIn(QAbstractButton):
    """One tab of a bar, by its place."""

    def __init__(self, bar: QTabBar, place: int) -> None:
        super().__init__(bar)
        self.place = place
        self.hide()

    def paintEvent(self, _event: QPaintEvent) -> None:
        """Paint nothing: it is never shown."""


class _TabRole(QAccessibleWidget):
    def __init__(self, tab: _StandIn) -> None:
        super().__init__(tab, QAccessible.Role.PageTab)
        self._place = tab.place

    @property
    def _bar(self) -> QTabBar:
        bar = self.object().parent()  # kept references would outlive what Qt deletes
        assert isinstance(bar, QTabBar)
        return bar

    def state(self) -> QAccessible.State:
        state, bar = QAccessible.State(), self._bar
        if not (bar.isVisible() and self._place < bar.count() and bar.isTabVisible(self._place)):
            state.invisible = 1
        is_current = bar.currentIndex() == self._place
        state.selectable = state.focusable = 1
        state.selected = is_current
        state.focused = is_current and bar.hasFocus()
        state.disabled = not (bar.isEnabled() and bar.isTabEnabled(self._place))
        return state

    def text(self, kind: QAccessible.Text) -> str:
        if kind is QAccessible.Text.Name:
            return self._bar.accessibleTabName(self._place) or self._bar.tabText(self._place)
        return self._bar.tabToolTip(self._place) if kind is QAccessible.Text.Description else ""

    def actionNames(self) -> list[str]:
        return ["Press"]

    def doAction(self, name: str) -> None:
        if name == "Press":
            self._bar.setCurrentIndex(self._place)

    def rect(self) -> QRect:
        rect = self._bar.tabRect(self._place)
        return QRect(self._bar.mapToGlobal(QPoint()) + rect.topLeft(), rect.size())


class _BarRole(QAccessibleWidget):
    def __init__(self, bar: QTabBar) -> None:
        super().__init__(bar, QAccessible.Role.PageTabList)

    @property
    def _bar(self) -> QTabBar:
        bar = self.object()
        assert isinstance(bar, QTabBar)
        return bar

    def state(self) -> QAccessible.State:
        state = super().state()
        if state.focused:
            state.focused = not self._bar.count()  # its current tab has it
        return state

    def childCount(self) -> int:
        return self._bar.count()

    def child(self, index: int) -> QAccessibleInterface | None:  # type: ignore[override]
        if not 0 <= index < self._bar.count():
            return None
        made = {tab.place: tab for tab in self._bar.findChildren(_StandIn)}
        return QAccessible.queryAccessibleInterface(made.get(index) or _StandIn(self._bar, index))

    def indexOfChild(self, child: QAccessibleInterface) -> int:
        tab = child.object()
        return tab.place if isinstance(tab, _StandIn) and tab.parentWidget() is self._bar else -1

    def childAt(self, x: int, y: int) -> QAccessibleInterface | None:  # type: ignore[override]
        return self.child(self._bar.tabAt(self._bar.mapFromGlobal(QPoint(x, y))))

    def focusChild(self) -> QAccessibleInterface | None:  # type: ignore[override]
        return self.child(self._bar.currentIndex()) if self._bar.hasFocus() else None


@cache
def tell_tabs() -> None:
    """Tell of tabs by stand-ins. Call it before the window is made."""
    QAccessible.installFactory(_made)


def _made(_key: str, thing: QObject | None) -> QAccessibleWidget | None:
    if isinstance(thing, _StandIn):
        return _TabRole(thing)
    return _BarRole(thing) if isinstance(thing, QTabBar) else None
