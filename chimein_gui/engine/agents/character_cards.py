"""Makes agents of character cards, and cards of agents. The formats are imported when the first card is used."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from chimein_gui.domain.errors import RefusedError
from chimein_gui.domain.notes import Note
from chimein_gui.domain.notes.character_cards import CardReason

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from chimein_gui.domain.agents import AgentSpec
    from chimein_gui.domain.character_cards.card_file import CardContainer, CardFile
    from chimein_gui.domain.ids import AgentId
    from chimein_gui.engine.agents.agent_files import AgentFileWatcher
    from chimein_gui.engine.ports import CharacterCardFiles, NewAgent, Store


class CharacterCards:
    """Reads, keeps and writes character cards; a card belongs to an agent by its id, never by its name."""

    def __init__(
        self,
        store: Store,
        files: CharacterCardFiles | None,
        agents: AgentFileWatcher,
        spec_of: Callable[[AgentId], AgentSpec],
    ) -> None:
        """Without `files` there are no cards."""
        self._store, self._files, self._agents, self._spec_of = store, files, agents, spec_of

    @property
    def available(self) -> bool:
        """Whether this run has files of cards."""
        return self._files is not None

    async def read(self, path: Path) -> CardFile:
        """Read a card; nothing is kept yet.

        Raises:
            RefusedError: It can't be read, is no card, or is damaged or harmful.
        """
        from chimein_gui.domain.character_cards.card_file import MOST_BYTES, read_card

        return await asyncio.to_thread(read_card, await self._given().read(path, MOST_BYTES + 1))

    async def create(self, card: CardFile, new: NewAgent) -> AgentId:
        """Write the file of an agent made of a card, take it in, and keep the card's bytes for exports.

        Raises:
            RefusedError: The card can't be kept; nothing was created.
            ConfigError: As for `AgentFileWatcher.create`.
            StoreError: The file is written, but the agent is not taken in yet or does not know its card.
        """
        name = await self._given().keep(card.data)
        agent_id = await self._agents.create(new)
        await self._store.transact(lambda tx: tx.agents.keep_card(agent_id, name))
        return agent_id

    async def original(self, agent_id: AgentId) -> CardContainer | None:
        """Return which kind of file an agent was made of; None if it was not made of a card, or that is lost."""
        from chimein_gui.domain.character_cards.card_file import container_of

        data = await self._kept(agent_id)
        return container_of(data) if data is not None else None

    async def export(self, agent_id: AgentId, target: Path, *, as_imported: bool) -> None:
        """Write the card of an agent.

        Args:
            agent_id: The agent.
            target: The file; one of that name is replaced.
            as_imported: Write the bytes from which it was made, else its name and instructions as they are now.

        Raises:
            RefusedError: It can't be written, or it was not made of a card.
        """
        from chimein_gui.domain.character_cards.card_file import written_card

        data, spec = await self._kept(agent_id), self._spec_of(agent_id)
        if not as_imported:
            data = await asyncio.to_thread(written_card, data, spec.name, spec.instructions)
        if data is None:
            raise RefusedError(Note(CardReason.NO_ORIGINAL))
        await self._given().write(target, data)

    async def _kept(self, agent_id: AgentId) -> bytes | None:
        name = await self._store.read(lambda tx: tx.agents.card_of(agent_id))
        return await self._given().kept(name) if name else None

    def _given(self) -> CharacterCardFiles:
        if self._files is None:
            raise RefusedError(Note(CardReason.NO_FILE))
        return self._files
