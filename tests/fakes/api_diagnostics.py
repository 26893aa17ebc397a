"""Diagnostics of the small engine."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path


class FakeDiagnostics:
    """Records the path of each file; fails if a test says so."""

    def __init__(self) -> None:
        self.saved: list[Path] = []
        self.fail: Exception | None = None

    async def save(self, target: Path) -> None:
        if self.fail is not None:
            raise self.fail
        self.saved.append(target)
