"""What the window asks of the engine about diagnostics."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from pathlib import Path


class DiagnosticsConsole(Protocol):
    """What helps to find a fault, without anything private."""

    async def save(self, target: Path) -> None:
        """Save it all as one file.

        Raises:
            DiagnosticsError: It can't be written; its words say what to do.
        """
        ...


class HelpConsole(Protocol):
    """That part of the engine that Help needs."""

    @property
    def diagnostics(self) -> DiagnosticsConsole:
        """Saves what helps to find a fault."""
        ...
