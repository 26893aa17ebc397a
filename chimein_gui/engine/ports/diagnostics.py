"""Where diagnostics are saved: one file that the operator may give away."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Protocol


class DiagnosticsFile(Protocol):
    """Writes the file, and adds what the engine does not know: versions, counts, logs, reports of crashes."""

    async def write(self, target: Path, facts: Mapping[str, object]) -> None:
        """Write it whole, or leave no trace of it.

        Args:
            target: The file; one that is there is replaced.
            facts: By name; each becomes a JSON file.

        Raises:
            DiagnosticsError: It can't be written; its words say what to do.
        """
        ...
