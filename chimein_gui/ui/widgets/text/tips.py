"""Tool tips with foreign texts: escaped as tool tip, plain for screen readers."""

from __future__ import annotations

from typing import TYPE_CHECKING

from chimein_gui.ui.widgets.text import foreign_text

if TYPE_CHECKING:
    from PySide6.QtWidgets import QWidget


def give_tip(widget: QWidget, text: str) -> None:
    """Set an escaped tool tip and a plain accessible description; without the latter Qt reports the escaped text."""
    widget.setToolTip(foreign_text.tool_tip(text) if text else "")
    widget.setAccessibleDescription(foreign_text.line(text) if text else "")
