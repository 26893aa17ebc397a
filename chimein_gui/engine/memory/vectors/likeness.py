"""How much a new text means the same as the entries of a file, where entries have vectors."""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING

from chimein_gui.domain.errors import ChimeinError
from chimein_gui.domain.memory.recall import TOP

if TYPE_CHECKING:
    from collections.abc import Mapping

    from chimein_gui.domain.memory.entries import MemoryFile
    from chimein_gui.engine.memory.vectors.queries import QueryVectors
    from chimein_gui.engine.ports import MemoryIndex

_log = logging.getLogger(__name__)


class Likeness:
    """Compares a text with the nearest entries of a file; without vectors, or after a failure, with none."""

    def __init__(self, index: MemoryIndex, vectors: QueryVectors) -> None:
        self._index, self._vectors = index, vectors

    async def __call__(self, file: MemoryFile, text: str) -> Mapping[str, float]:
        """Return the cosines of the nearest entries, by their texts; it takes at most about two seconds."""
        try:
            vector = await self._vectors.of_entry(file.agent_name, text)
            if vector is None:
                return {}
            found = await self._index.search(text, [file], vector=vector, limit=TOP)
        except ChimeinError as error:
            _log.info("A new memory is compared by words alone: %s", error)
            return {}
        return {one.entry.text: one.meaning for one in (*found.best, *found.losers) if one.meaning is not None}
