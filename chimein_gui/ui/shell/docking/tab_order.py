"""Where Tab and Shift+Tab lead: through the parts of the window in the order in which they are read."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication, QWidget

if TYPE_CHECKING:
    from collections.abc import Sequence

Key = tuple[int, int]


def next_stop(window: QWidget, parts: Sequence[QWidget], *, forward: bool) -> QWidget | None:
    """Return the widget that gets the focus next; None if nothing in the window takes it.

    Qt's own order is that in which widgets were created and put into their places, so that panes which were created
    later stand where chance has put them.

    Args:
        window: The window that has the focus.
        parts: Its parts in the order of reading; what is in none of them comes last.
        forward: Tab was pressed, not Shift+Tab.
    """
    place_of = {part: place for place, part in enumerate(parts)}
    here = QApplication.focusWidget()
    now: Key | None = None
    stops: list[tuple[Key, QWidget]] = []
    for number, widget in enumerate(_chain(window)):
        is_here = widget is here
        if is_here or _takes_focus(widget):
            key = (_place(widget, place_of), number)
            now = key if is_here else now
            if not is_here:
                stops.append((key, widget))
    stops.sort(key=lambda stop: stop[0])
    if not forward:
        stops.reverse()
    if now is not None:
        for key, widget in stops:
            if (key > now) is forward:
                return widget
    return stops[0][1] if stops else None


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
