"""Where Tab and Shift+Tab lead: through the parts of the window in the order in which they are read."""

from __future__ import annotations

from typing import TYPE_CHECKING
from weakref import WeakKeyDictionary

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication, QWidget
from shiboken6 import getCppPointer

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

Key = tuple[int, int]

_known: WeakKeyDictionary[QWidget, tuple[int, dict[int, int]]] = WeakKeyDictionary()
"""Of each window: how many widgets there were, and the number of each address in Qt's order."""


def next_stop(window: QWidget, parts: Sequence[QWidget], *, forward: bool) -> QWidget | None:
    """Return the widget that gets the focus next; None if nothing in the window takes it.

    Qt's own order is that in which widgets were created and put into their places, so that panes which were created
    later stand where chance has put them. It is kept until widgets come or go; else only what is in sight is looked at.

    Args:
        window: The window that has the focus.
        parts: Its parts in the order of reading; what is in none of them comes last.
        forward: Tab was pressed, not Shift+Tab.
    """
    place_of = {part: place for place, part in enumerate(parts)}
    here = QApplication.focusWidget()
    now: Key | None = None
    found = [one for one in _in_sight(window) if one is here or _takes_focus(one)]
    stops: list[tuple[Key, QWidget]] = []
    for number, widget in zip(_numbers(window, found), found, strict=True):
        key = (_place(widget, place_of), number)
        if widget is here:
            now = key
        else:
            stops.append((key, widget))
    stops.sort(key=lambda stop: stop[0])
    if not forward:
        stops.reverse()
    if now is not None:
        for key, widget in stops:
            if (key > now) is forward:
                return widget
    return stops[0][1] if stops else None


def _in_sight(window: QWidget) -> Iterator[QWidget]:
    """Yield the widgets of a window that are visible; what is in a hidden one is not looked at."""
    waiting = [window]
    while waiting:
        for child in waiting.pop().findChildren(QWidget, options=Qt.FindChildOption.FindDirectChildrenOnly):
            if child.isVisible() and not child.isWindow():
                yield child
                waiting.append(child)


def _numbers(window: QWidget, widgets: Sequence[QWidget]) -> list[int]:
    """Return the place of each widget in Qt's own order."""
    addresses = [getCppPointer(one)[0] for one in widgets]
    count = len(QApplication.allWidgets())
    before, numbers = _known.get(window, (0, {}))
    if count != before or any(one not in numbers for one in addresses):
        numbers = {getCppPointer(one)[0]: number for number, one in enumerate(_chain(window))}
        _known[window] = (count, numbers)
    return [numbers.get(one, len(numbers)) for one in addresses]


def _chain(window: QWidget) -> list[QWidget]:
    """Return the widgets of a window in Qt's own order.

    PySide takes what `nextInFocusChain` returns for a child of the widget that was asked: when that one is deleted, it
    calls all that follow deleted, too. So each is given back to its parent; the window has none, and is not asked for.
    """
    last = window.previousInFocusChain()
    found: list[QWidget] = []
    widget: QWidget | None = window
    while widget is not None and widget is not last:
        widget = widget.nextInFocusChain()
        if widget is not None:
            found.append(widget)
    for one in found:
        one.setParent(one.parentWidget())  # Qt does nothing then, as it is the parent already
    return [one for one in found if one.window() is window]


def _takes_focus(widget: QWidget) -> bool:
    by_tab = widget.focusPolicy().value & Qt.FocusPolicy.TabFocus.value
    return bool(by_tab) and widget.isVisible() and widget.isEnabled() and widget.focusProxy() is None


def _place(widget: QWidget, place_of: dict[QWidget, int]) -> int:
    above: QWidget | None = widget
    while above is not None:
        if above in place_of:
            return place_of[above]
        above = above.parentWidget()
    return len(place_of)
