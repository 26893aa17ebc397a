"""The stickers that an agent may send, for the operator who writes as the agent."""

from __future__ import annotations

from typing import TYPE_CHECKING

from chimein_gui.domain.errors import GatewayError, NotConnectedError
from chimein_gui.domain.plans.stickers import StickerRef

if TYPE_CHECKING:
    from chimein_gui.domain.ids import AgentId
    from chimein_gui.engine.accounts.directory import AccountDirectory


class AgentStickers:
    """Looks up the sets and the single stickers of an agent's file."""

    def __init__(self, directory: AccountDirectory) -> None:
        """Keep who has the agents and their gateways."""
        self._directory = directory

    async def load(self, agent_id: AgentId) -> tuple[StickerRef, ...]:
        """Return what the agent may send, single stickers first; what cannot be looked up now is left out.

        Raises:
            NotFoundError: There is no such agent.
            NotConnectedError: Its account is not connected.
        """
        entry = self._directory.entry(agent_id)
        gateway = entry.gateway
        if gateway is None or not gateway.is_up():
            raise NotConnectedError("The account is not connected.")
        spec, found = self._directory.spec_of(agent_id), dict[int, StickerRef]()
        for set_name, name in spec.stickers:
            try:
                sticker = await gateway.find_sticker(set_name, name)
            except GatewayError:
                continue
            if sticker is not None:
                found.setdefault(sticker.document_id, sticker)
        for set_name in spec.sticker_sets:
            try:
                listed = await gateway.sticker_set(set_name)
            except GatewayError:
                continue
            for sticker in listed:
                found.setdefault(sticker.document_id, sticker)
        return tuple(found.values())
