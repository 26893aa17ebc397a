"""Right-to-left layouts: painting is mirrored as a whole, and texts are mirrored back in place.

With a mirrored painter the painting code works as in a left-to-right layout. Letters, digits and avatars are mirrored
back about their own centre; arrows and carets stay mirrored, because they point forward.
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
    """Mirror a painter about the vertical centre line of a rectangle; a second call restores it."""
    painter.translate(2 * rect.x() + rect.width(), 0)
    painter.scale(-1, 1)
    # Each text has its own direction: else "2 waiting" would become "waiting 2".
    painter.setLayoutDirection(Qt.LayoutDirection.LayoutDirectionAuto)


def follow_layout(painter: QPainter, widget: QWidget) -> None:
    """Mirror a widget's painter if its layout is right-to-left."""
    if widget.isRightToLeft():
        mirror(painter, widget.rect())


def is_turned(painter: QPainter) -> bool:
    """Tell whether a painter is mirrored."""
    return painter.worldTransform().m11() < 0


def set_rtl_margins(holder: QLayout | QWidget, leading: int, top: int, trailing: int, bottom: int) -> None:
    """Set the margins of a layout or a widget, logical pixels.

    Qt mirrors the contents of a layout, but not its margins.
    """
    widget = holder if isinstance(holder, QWidget) else holder.parentWidget()
    # A layout without a widget yet has the direction of the application.
    if QGuiApplication.isRightToLeft() if widget is None else widget.isRightToLeft():
        leading, trailing = trailing, leading
    holder.setContentsMargins(leading, top, trailing, bottom)


def set_rtl_field(field: QLineEdit, leading: int, trailing: int) -> None:
    """Set the margins of the text in a field, logical pixels, for the direction of the layout."""
    if field.isRightToLeft():
        leading, trailing = trailing, leading
        field.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignAbsolute)
    field.setTextMargins(leading, 0, trailing, 0)


def from_leading_edge(widget: QWidget, lead: float, top: float, width: float, height: float) -> QRectF:
    """Return a rectangle that is `lead` px from the leading edge of a widget."""
    left = widget.width() - lead - width if widget.isRightToLeft() else lead
    return QRectF(left, top, width, height)


def leading_edge(child: QWidget) -> float:
    """Return the distance of a child from its parent's leading edge, px."""
    parent = child.parentWidget()
    if parent is None or not parent.isRightToLeft():
        return float(child.geometry().left())
    return float(parent.width() - child.geometry().left() - child.geometry().width())
