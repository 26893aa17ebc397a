"""The program's line icons: SVG files in which only the colour is replaced."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

from PySide6.QtCore import QByteArray, QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QGuiApplication, QPainter, QPixmap

from chimein_gui.resource_files import resource_path
from chimein_gui.ui.widgets.theme.mirror import is_turned, mirror

if TYPE_CHECKING:
    from PySide6.QtGui import QIcon

_WITH_DIRECTION = frozenset({"arrow-right", "caret-left", "caret-right", "forward", "reply", "return", "send"})
"""Icons that are mirrored in a right-to-left layout."""


@lru_cache(maxsize=256)
def _source(name: str) -> str:
    return resource_path("icons", f"{name}.svg").read_text(encoding="utf-8")


def read_all() -> None:
    """Read the files of all icons, in a separate thread: on a busy disk a single one has blocked a paint for 170 ms."""
    for path in resource_path("icons").glob("*.svg"):
        _source(path.stem)


@lru_cache(maxsize=512)
def _pixmap(name: str, color: int, size: int, ratio: float) -> QPixmap:
    from PySide6.QtSvg import QSvgRenderer

    renderer = QSvgRenderer(QByteArray(_source(name).replace("currentColor", QColor.fromRgba(color).name()).encode()))
    pixmap = QPixmap(round(size * ratio), round(size * ratio))
    pixmap.setDevicePixelRatio(ratio)
    pixmap.fill(Qt.GlobalColor.transparent)
    painter = QPainter(pixmap)
    renderer.render(painter, QRectF(0, 0, size, size))
    painter.end()
    return pixmap


def icon(name: str, color: QColor, disabled: QColor, size: int = 16) -> QIcon:
    """Return an icon for menus, sharp on all current screens, whose pixel ratios may differ.

    A custom QIconEngine would draw for any screen, but Qt copies engines, and one written in Python does not survive
    that (PySide 6.11).

    Args:
        name: File name in resources/icons without its extension.
        color: Colour of the lines.
        disabled: Colour of the lines while the icon's command is disabled.
        size: Logical pixels.
    """
    from PySide6.QtGui import QIcon  # late: its enum of theme icons takes 3 ms, and `draw` needs none of it

    made = QIcon()
    for ratio in sorted({screen.devicePixelRatio() for screen in QGuiApplication.screens()}):
        made.addPixmap(_pixmap(name, color.rgba(), size, ratio))
        made.addPixmap(_pixmap(name, disabled.rgba(), size, ratio), QIcon.Mode.Disabled)
    return made


def draw(painter: QPainter, name: str, color: QColor, rect: QRectF) -> None:
    """Paint an icon centred in a rectangle, as large as its smaller side."""
    size = int(min(rect.width(), rect.height()))
    left = rect.center().x() - size / 2
    top = rect.center().y() - size / 2
    ratio = painter.device().devicePixelRatioF()
    picture = _pixmap(name, color.rgba(), size, ratio)
    if not is_turned(painter) or name in _WITH_DIRECTION:
        painter.drawPixmap(QPointF(left, top), picture)
        return
    painter.save()
    mirror(painter, rect)
    painter.drawPixmap(QPointF(left, top), picture)
    painter.restore()


def app_icon() -> QIcon:
    """Return the program's icon."""
    from PySide6.QtGui import QIcon

    return QIcon(str(resource_path("icons", "chimein.svg")))
