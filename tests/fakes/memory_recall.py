"""A search of memories without an index: the more words an entry shares with the text, the better it fits."""

from __future__ import annotations

from typing import TYPE_CHECKING

from chimein_gui.domain.memory.edits import indexed_entries
from chimein_gui.domain.memory.entries import MemoryScope
from chimein_gui.domain.memory.recall import LOSERS, TOP, Recall, Recalled, readable_files

if TYPE_CHECKING:
    from collections.abc import Collection

    from chimein_gui.domain.ids import PeerId
    from tests.fakes.api_memories import DirectMemoryFiles


class WordRecall:
    """Answers at once.

    Attributes:
        asked: The texts that it was asked about.
    """

    def __init__(self, files: DirectMemoryFiles) -> None:
        self._files = files
        self.asked: list[str] = []

    async def recalled_by(self, agent_name: str, peer: PeerId, text: str, person: PeerId | None = None) -> Recall:
        self.asked.append(text)
        wanted = set(text.casefold().split())
        scope = MemoryScope(agent_name, peer, peer if int(peer) > 0 else person)
        scored = []
        for file in readable_files(scope):
            for entry in indexed_entries(file, (await self._files.text(file)).text):
                share = len(wanted & set(entry.text.casefold().split())) / len(wanted)
                scored += [(share, entry)] if share else []
        scored.sort(key=lambda one: -one[0])
        found = tuple(Recalled(entry, share, share, None, rank) for rank, (share, entry) in enumerate(scored, 1))
        return Recall(text, found[:TOP], found[TOP : TOP + LOSERS], len(scored))

    async def find_anywhere(self, agent_names: Collection[str], text: str, limit: int) -> Recall:
        wanted = set(text.casefold().split())
        scored = [
            (len(wanted & set(entry.text.casefold().split())) / len(wanted), entry)
            for file in await self._files.files(tuple(agent_names))
            for entry in indexed_entries(file, (await self._files.text(file)).text)
        ]
        scored = sorted((one for one in scored if one[0]), key=lambda one: -one[0])[:limit]
        found = tuple(Recalled(entry, share, share, None, rank) for rank, (share, entry) in enumerate(scored, 1))
        return Recall(text, found[:TOP], found[TOP:], len(scored))
