"""Changes of caps that can be taken back."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Signal

from chimein_gui.viewmodels.core.commands import CommandRunner

if TYPE_CHECKING:
    from chimein_gui.domain.spending.caps import CapKey
    from chimein_gui.viewmodels.engine_api.engine import EngineApi


class CapEdits(CommandRunner):
    """Sets caps, and takes the changes of this run back in reverse order.

    Attributes:
        done: A cap was changed, or a change was taken back.
    """

    done = Signal()
    _undo: tuple[tuple[CapKey, float | None], ...] = ()

    @property
    def can_undo(self) -> bool:
        """Whether there is a change to take back."""
        return bool(self._undo)

    def set_cap(self, key: CapKey, usd: float | None) -> None:
        """Set a cap in US dollars a day, or remove it."""
        if self._console is not None:
            self._send(self._set(self._console, key, usd, keeps=True), f"set cap {key}")

    def undo(self) -> None:
        """Take the last change back."""
        if self._undo and self._console is not None:
            *rest, (key, before) = self._undo
            self._undo = tuple(rest)
            self._send(self._set(self._console, key, before, keeps=False), f"set cap {key}")

    async def _set(self, console: EngineApi, key: CapKey, usd: float | None, *, keeps: bool) -> None:
        before = await console.caps.set_cap(key, usd)
        self._bridge.deliver(lambda: self._note(key, before, keeps=keeps))

    def _note(self, key: CapKey, before: float | None, *, keeps: bool) -> None:
        if keeps:
            self._undo = (*self._undo, (key, before))
        self.done.emit()
