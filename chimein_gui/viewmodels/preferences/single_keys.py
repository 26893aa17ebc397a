"""Whether single-key shortcuts work: some people press letters by accident, or dictate to their computer."""

from __future__ import annotations

from PySide6.QtCore import QObject, Signal


class SingleKeys(QObject):
    """The switch for single-key shortcuts, set by menus and preferences.

    Attributes:
        changed: It was switched.
    """

    changed = Signal()

    def __init__(self, parent: QObject | None = None, *, enabled: bool = True) -> None:
        super().__init__(parent)
        self._enabled = enabled

    @property
    def enabled(self) -> bool:
        """Whether single-key shortcuts work."""
        return self._enabled

    def set_enabled(self, enabled: bool) -> None:
        if enabled != self._enabled:
            self._enabled = enabled
            self.changed.emit()
