"""Tool tips of foreign texts: markup-proof for the eye, plain for a screen reader."""

from __future__ import annotations

from typing import TYPE_CHECKING

from chimein_gui.ui.widgets.text import foreign_text

if TYPE_CHECKING:
    from PySide6.QtWidgets import QWidget


def give_tip(widget: QWidget, text: str) -> None:
    """Give a widget a tool tip; Qt would read its markup out where there is no description, so there is one."""
    widget.setToolTip(foreign_text.tool_tip(text) if text else "")
    widget.setAccessibleDescription(foreign_text.line(text) if text else "")
