"""Small buttons: one that opens a menu, and one with only an icon."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QRectF, QSize

from chimein_gui.ui.widgets.controls.action_button import ActionButton, Kind
from chimein_gui.ui.widgets.controls.spoken_buttons import tell_menu
from chimein_gui.ui.widgets.theme import icons
from chimein_gui.ui.widgets.theme.theme import Theme

if TYPE_CHECKING:
    from PySide6.QtGui import QPainter

    from chimein_gui.ui.widgets.theme.control_colours import Colours

_CARET = 11
_GAP = 6


class MenuButton(ActionButton):
    """A button with a caret: it opens a menu."""

    def __init__(self, theme: Theme, text: str, *, icon: str = "", key: str = "", kind: Kind = Kind.PLAIN) -> None:
        super().__init__(theme, text, icon=icon, key=key, kind=kind)
        tell_menu(self)

    def sizeHint(self) -> QSize:
        return super().sizeHint() + QSize(_CARET + _GAP, 0)

    def _paint_content(self, painter: QPainter, colours: Colours) -> None:
        super()._paint_content(painter, colours)
        left = self.width() - _CARET - 9
        icons.draw(painter, "caret-down", colours.ink, QRectF(left, (self.height() - _CARET) / 2, _CARET, _CARET))


class IconButton(ActionButton):
    """An icon without text, 28 by 28 px; its name is the tool tip and the accessible name.

    Args:
        theme: Colours and fonts.
        icon: Name of the icon.
        name: What it does.
        stays: It is a switch.
        opens: It opens a menu.
    """

    def __init__(self, theme: Theme, icon: str, name: str, *, stays: bool = False, opens: bool = False) -> None:
        super().__init__(theme, "", icon=icon, kind=Kind.QUIET)
        self.setCheckable(stays)
        if opens:
            tell_menu(self)
        self.rename(name)

    def rename(self, name: str) -> None:
        """Set tool tip and accessible name."""
        self.setAccessibleName(name)
        self.setToolTip(name)

    def sizeHint(self) -> QSize:
        side = max(28, super().sizeHint().height())
        return QSize(side, side)
