"""Places the buttons of docks at the end of their tab bar, so that tabbed docks need no title bar below it."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QObject, QRect, Qt, QTimer
from PySide6.QtWidgets import QMainWindow, QTabBar, QWidget
from shiboken6 import isValid

if TYPE_CHECKING:
    from collections.abc import Mapping

    from chimein_gui.ui.shell.docking.docks import PaneDock

_MOVES = {QEvent.Type.Resize, QEvent.Type.Move, QEvent.Type.Show, QEvent.Type.Hide}

SAVED = 14
"""Pixels that a tab saves with reduced padding, as in the style sheet."""


class TabRows(QObject):
    """Follows the tab bars, which Qt creates and moves."""

    def __init__(self, window: QMainWindow, docks: Mapping[str, PaneDock]) -> None:
        super().__init__(window)
        self._window, self._docks = window, docks
        self._known: set[QTabBar] = set()
        self._over: dict[PaneDock, QTabBar | None] = {}
        self._later = QTimer(self)
        self._later.setSingleShot(True)
        self._later.setInterval(0)
        self._later.timeout.connect(self.place)
        for dock in docks.values():
            dock.tabs_changed.connect(self._later.start)
            dock.windowTitleChanged.connect(lambda _title: self._later.start())
            dock.moved.connect(partial(self._follow, dock))

    def place(self) -> None:
        """Place the buttons of the raised docks at the end of their tab bars, and hide those of the others."""
        bars = self._bars()
        self._known = {bar for bar in self._known if isValid(bar)}
        for bar in bars:
            if bar not in self._known:
                self._known.add(bar)
                bar.installEventFilter(self)
                bar.setAccessibleName(self.tr("Panes"))
        for dock in self._docks.values():
            dock.fold_title()  # another dock may have been untabbed
            self._over.pop(dock, None)
            if not (dock.is_furnished and dock.is_tabbed()):
                continue
            over = _bar_above(dock, bars)
            if dock.buttons.parentWidget() is not self._window:
                dock.buttons.setParent(self._window)
            if over is not None:
                self._over[dock] = over
                self._save_room(over, dock)
                dock.buttons.setGeometry(self._place_in(over, dock))
                dock.buttons.raise_()
            dock.buttons.setVisible(over is not None)

    def parts_of(self, dock: PaneDock) -> tuple[QWidget, ...]:
        """Return what lies over a dock, in the order of reading, and the dock; nothing for one behind another tab."""
        if not dock.isVisible() or dock.is_behind() or dock.isFloating():
            return ()
        over = self._bar_over(dock)
        return (dock,) if over is None else (over, dock.buttons, dock)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() in _MOVES:
            if event.type() in (QEvent.Type.Resize, QEvent.Type.Move):
                for dock in tuple(self._over):
                    if self._bar_over(dock) is watched:
                        self._follow(dock)
            self._later.start()
        return super().eventFilter(watched, event)

    def _follow(self, dock: PaneDock) -> None:
        """Move a dock's buttons at once: a turn later they would have been painted over what stands there now."""
        over = self._bar_over(dock)
        if over is not None:
            dock.buttons.setGeometry(self._place_in(over, dock))

    def _bar_over(self, dock: PaneDock) -> QTabBar | None:
        """Return the tab bar over a raised dock; it is looked up anew if what was known of it is gone."""
        over = self._over.get(dock)
        if over is not None and not isValid(over):
            over = self._over[dock] = _bar_above(dock, self._bars())
        return over

    def _bars(self) -> list[QTabBar]:
        return self._window.findChildren(QTabBar, options=Qt.FindChildOption.FindDirectChildrenOnly)

    def _place_in(self, bar: QTabBar, dock: PaneDock) -> QRect:
        width = dock.buttons.sizeHint().width() + 6
        row = QRect(dock.x(), bar.y(), dock.width(), bar.height())
        if self._window.isRightToLeft():
            return QRect(row.left() + 6, row.top(), width, row.height())
        return QRect(row.right() - width + 1, row.top(), width, row.height())

    def _save_room(self, bar: QTabBar, dock: PaneDock) -> None:
        """Let the tabs end where the buttons begin: with too little room they scroll."""
        if not self._window.isRightToLeft():
            room = max(80, dock.width() - dock.buttons.sizeHint().width() - 6)
            bar.setMaximumWidth(room)
            _set_tight(bar, room)


def _set_tight(bar: QTabBar, room: int) -> None:
    """Reduce the padding of the tabs if their texts would be cut otherwise."""
    is_tight = bool(bar.property("tight"))
    usual = bar.sizeHint().width() + (SAVED * bar.count() if is_tight else 0)
    if is_tight is not (usual > room):
        bar.setProperty("tight", usual > room)
        bar.style().unpolish(bar)
        bar.style().polish(bar)


def _bar_above(dock: PaneDock, bars: list[QTabBar]) -> QTabBar | None:
    """Return the tab bar of a raised dock; None for a dock behind another tab."""
    if not dock.isVisible() or dock.visibleRegion().isEmpty():
        return None
    for bar in bars:
        above = QRect(dock.x(), bar.y(), dock.width(), bar.height())
        if bar.isVisible() and above.intersects(bar.geometry()) and 0 <= dock.y() - bar.geometry().bottom() <= 12:
            return bar
    return None
