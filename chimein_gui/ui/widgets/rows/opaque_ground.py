"""A list that fills its own ground, so that a row's repaint does not begin at the window's background."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtGui import QPainter

if TYPE_CHECKING:
    from PySide6.QtGui import QPaintEvent
    from PySide6.QtWidgets import QAbstractScrollArea

    from chimein_gui.ui.widgets.theme.theme import Theme


def make_opaque(view: QAbstractScrollArea) -> None:
    """Promise that the viewport paints every pixel: Qt then leaves out the five widgets behind it."""
    view.viewport().setAttribute(Qt.WidgetAttribute.WA_OpaquePaintEvent)


def fill(view: QAbstractScrollArea, event: QPaintEvent, theme: Theme, ground: str) -> None:
    """Keep the promise; to be called first in the view's paintEvent."""
    painter = QPainter(view.viewport())
    painter.fillRect(event.rect(), theme.color(ground))
    painter.end()
