"""Files that people read and edit, as the engine sees them."""

from __future__ import annotations

from datetime import datetime
from typing import Protocol

from chimein_gui.domain.ids import PeerId


class MemoryFiles(Protocol):
    """What agents remembered: Markdown entries in the state directory; writes are atomic."""

    async def append(
        self, agent_name: str, text: str, *, at: datetime, provenance: str, key: str, partner: PeerId | None = ...
    ) -> None:
        """Append one entry to ``<agent>/memory.md``, or to the partner's file.

        Args:
            agent_name: Whose memory.
            text: What to remember; lines that would begin an entry or a block are escaped.
            at: Aware UTC, written into the entry's heading.
            provenance: Chat, message and source, in an HTML comment.
            key: Plan and index; an entry with this key that is there already is left alone, so a crash writes once.
            partner: For the scope ``per-partner``: whose file.

        Raises:
            OSError: Nothing was written.
        """
        ...

    async def remove(self, agent_name: str, *, key: str, partner: PeerId | None = ...) -> bool:
        """Take one entry out again; False when the operator removed or changed it already.

        Raises:
            OSError: Nothing was changed.
        """
        ...
