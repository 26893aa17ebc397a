"""Where a toast goes so that it covers nothing in use: narrower first, then higher."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QPoint, QRect
from PySide6.QtWidgets import QLineEdit, QPlainTextEdit, QTextEdit, QWidget

from chimein_gui.ui.widgets.controls.legend import KeyLegend

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from chimein_gui.ui.pane import Pane

ABOVE, BESIDE = 6, 6
"""Px between a toast and what it must not cover, below it and beside it."""

HIGHEST = 0.4
"""How far a toast may be raised for a text, as a share of the window's height: a card may be as high as the window."""


def clear_place(window: QWidget, panes: Mapping[str, Pane], place: QRect, least: int) -> QRect:
    """Return the place of a toast that covers no button, no field in use, no legend of keys, and if possible no draft.

    Args:
        window: The window.
        panes: Its panes.
        place: Where the toast stands if nothing is in the way.
        least: The width its words need, px.
    """
    seen = [pane.keep_in_sight() for pane in panes.values()]
    buttons = [widget for one in seen for widget in one.buttons]
    focus = window.focusWidget()
    if isinstance(focus, QLineEdit | QPlainTextEdit | QTextEdit):
        buttons.append(focus)
    kept = _seen(window, [*buttons, *window.findChildren(KeyLegend)])
    texts = _seen(window, [widget for one in seen for widget in one.drafts])
    best = _raised(place, least, [*kept, *texts], [*kept, *texts])
    if place.top() - best.top() > HIGHEST * window.height():
        best = _raised(place, least, kept, [*kept, *texts])
    return _turned(best, window) if window.isRightToLeft() else best


def _seen(window: QWidget, widgets: Iterable[QWidget]) -> list[QRect]:
    """Return what is visible of widgets, with the gap around it; from the leading edge, as if it were the left one."""
    found: list[QRect] = []
    for widget in widgets:
        part = widget.visibleRegion().boundingRect() if widget.isVisible() and widget.window() is window else QRect()
        if not part.isEmpty():
            rect = part.translated(widget.mapTo(window, QPoint())).adjusted(-BESIDE, -ABOVE, BESIDE, 0)
            found.append(_turned(rect, window) if window.isRightToLeft() else rect)
    return found


def _turned(rect: QRect, window: QWidget) -> QRect:
    return QRect(window.width() - rect.right() - 1, rect.top(), rect.width(), rect.height())


def _raised(place: QRect, least: int, above: Sequence[QRect], beside: Sequence[QRect]) -> QRect:
    """Return the lowest place above `above`, made narrower so that it ends before `beside` where that is enough."""
    tried = _narrowed(place, least, beside)
    for part in sorted(above, key=QRect.top, reverse=True):  # from below: above one the next may be in the way
        if part.intersects(tried):
            tried = _narrowed(place.translated(0, part.top() - 1 - place.bottom()), least, beside)
    return tried


def _narrowed(place: QRect, least: int, beside: Iterable[QRect]) -> QRect:
    ends = [part.left() - 1 for part in beside if part.intersects(place) and part.left() >= place.left() + least]
    return QRect(place.topLeft(), QPoint(min(ends), place.bottom())) if ends else place
