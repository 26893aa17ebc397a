"""Whether single letters decide: some people press them by accident, or speak to their computer."""

from __future__ import annotations

from PySide6.QtCore import QObject, Signal


class SingleKeys(QObject):
    """A switch; whoever owns a menu or preferences sets it.

    Attributes:
        changed: It was switched.
    """

    changed = Signal()

    def __init__(self, parent: QObject | None = None, *, enabled: bool = True) -> None:
        super().__init__(parent)
        self._enabled = enabled

    @property
    def enabled(self) -> bool:
        """Tell whether single letters do something."""
        return self._enabled

    def set_enabled(self, enabled: bool) -> None:
        """Switch them on or off."""
        if enabled != self._enabled:
            self._enabled = enabled
            self.changed.emit()
