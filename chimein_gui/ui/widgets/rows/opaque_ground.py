"""Lets a view fill its own background, so that a repaint of a row does not repaint the widgets behind the view."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtGui import QPainter

if TYPE_CHECKING:
    from PySide6.QtGui import QPaintEvent
    from PySide6.QtWidgets import QAbstractScrollArea

    from chimein_gui.ui.widgets.theme.theme import Theme


def make_opaque(view: QAbstractScrollArea) -> None:
    """Declare that the viewport paints every pixel, so that Qt skips the five widgets behind it.

    The view calls `fill`.
    """
    view.viewport().setAttribute(Qt.WidgetAttribute.WA_OpaquePaintEvent)


def fill(view: QAbstractScrollArea, event: QPaintEvent, theme: Theme, ground: str) -> None:
    """Fill the background; call this first in the view's paintEvent."""
    painter = QPainter(view.viewport())
    painter.fillRect(event.rect(), theme.color(ground))
    painter.end()
