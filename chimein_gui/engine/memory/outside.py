"""What another program has taken out of a memory file leaves tombstones, too, as if the operator had done it here.

The newest version of a file says what it held before. Tombstones are stored before the new content becomes a version,
so that a crash between the two loses none.
"""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING

from chimein_gui.domain.errors import StoreError
from chimein_gui.domain.memory.edits import texts_of

if TYPE_CHECKING:
    from chimein_gui.domain.memory.entries import MemoryFile
    from chimein_gui.engine.memory.tombstones import Tombstones
    from chimein_gui.engine.ports import MemoryFiles

_log = logging.getLogger(__name__)


class OutsideChanges:
    """Looks at files before they are shown, changed or compared."""

    def __init__(self, files: MemoryFiles, tombstones: Tombstones | None) -> None:
        """`tombstones` are stored for what is gone; without them only the versions are kept."""
        self._files, self._tombstones = files, tombstones

    async def see(self, file: MemoryFile, *, is_written: bool = False) -> None:
        """Take note of what another program did to a file since the last look. It never raises.

        Args:
            file: Which file.
            is_written: It is about to be written. Only then does a missing file count as an empty one: editors remove
                a file for a moment when they save it.
        """
        change = await self._files.outside_change(file)
        if change is None or (change.is_missing and not is_written):
            await self._files.notice(file)
            return
        if self._tombstones is not None:
            old, new = texts_of(file.kind, change.before), texts_of(file.kind, change.after)
            try:
                await self._tombstones.note(file, old - new, new - old)
            except StoreError as error:  # the next look tries again
                _log.info("What was taken out of a memory file could not be noted: %s", error)
                return
        await self._files.notice(file, only=change.after)
