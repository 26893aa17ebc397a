"""An engine without anything that draws: stickers stand still."""

from __future__ import annotations

from typing import TYPE_CHECKING

from chimein_gui.domain.errors import NotDrawableError

if TYPE_CHECKING:
    from pathlib import Path

    from chimein_gui.domain.messages import FrameKind
    from chimein_gui.engine.ports import Frames


class NoFrames:
    """Draws nothing."""

    def draws(self, kind: FrameKind) -> bool:  # noqa: ARG002 - the port's shape
        """Return False: nothing is installed that draws."""
        return False

    async def render(self, path: Path, kind: FrameKind, size: int, *, fps: int = 30) -> Frames:  # noqa: ARG002
        """Refuse."""
        raise NotDrawableError("Nothing is installed that draws it.")
