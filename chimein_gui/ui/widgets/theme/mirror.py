"""Right-to-left layouts: painting is turned over as a whole, and what must be read stands upright in its place.

A painter that is turned over lets the code that paints go on as from the left. Letters, digits and faces turn back
about their own middle; arrows and carets stay turned, since they point to where the next thing is.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QWidget

if TYPE_CHECKING:
    from PySide6.QtCore import QRect
    from PySide6.QtGui import QPainter
    from PySide6.QtWidgets import QLayout, QLineEdit


def mirror(painter: QPainter, rect: QRect | QRectF) -> None:
    """Let left and right change places in a rectangle; a painter that is turned over stands upright again."""
    painter.translate(2 * rect.x() + rect.width(), 0)
    painter.scale(-1, 1)
    # Each text runs as its own letters do: "2 waiting" would become "waiting 2".
    painter.setLayoutDirection(Qt.LayoutDirection.LayoutDirectionAuto)


def follow_layout(painter: QPainter, widget: QWidget) -> None:
    """Turn a widget's painter over where its layout runs from the right."""
    if widget.isRightToLeft():
        mirror(painter, widget.rect())


def is_turned(painter: QPainter) -> bool:
    """Tell whether left and right have changed places."""
    return painter.worldTransform().m11() < 0


def set_rtl_margins(holder: QLayout | QWidget, leading: int, top: int, trailing: int, bottom: int) -> None:
    """Set the margins of a layout or a widget, in logical pixels: Qt mirrors what stands in it, but not these."""
    widget = holder if isinstance(holder, QWidget) else holder.parentWidget()
    # A layout that is not in its place yet goes where the whole window goes.
    if QGuiApplication.isRightToLeft() if widget is None else widget.isRightToLeft():
        leading, trailing = trailing, leading
    holder.setContentsMargins(leading, top, trailing, bottom)


def set_rtl_field(field: QLineEdit, leading: int, trailing: int) -> None:
    """Let the text of a field begin where the layout begins, with so much room beside it, logical pixels."""
    if field.isRightToLeft():
        leading, trailing = trailing, leading
        field.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignAbsolute)
    field.setTextMargins(leading, 0, trailing, 0)


def from_leading_edge(widget: QWidget, lead: float, top: float, width: float, height: float) -> QRectF:
    """Return a rectangle that lies `lead` pixels from the side on which the widget's layout begins."""
    left = widget.width() - lead - width if widget.isRightToLeft() else lead
    return QRectF(left, top, width, height)


def leading_edge(child: QWidget) -> float:
    """Return where a child begins, from the side on which its parent's layout begins."""
    parent = child.parentWidget()
    if parent is None or not parent.isRightToLeft():
        return float(child.geometry().left())
    return float(parent.width() - child.geometry().left() - child.geometry().width())
