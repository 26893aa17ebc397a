"""Engine protocols for diagnostics."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from pathlib import Path


class DiagnosticsConsole(Protocol):
    """Data for finding an error, without anything private."""

    async def save(self, target: Path) -> None:
        """Save the diagnostics as one file.

        Raises:
            DiagnosticsError: It can't be written; the message says what to do.
        """
        ...


class HelpConsole(Protocol):
    """The part of the engine that Help needs."""

    @property
    def diagnostics(self) -> DiagnosticsConsole:
        """Saves diagnostics."""
        ...
