"""What Telegram sent and nobody here can read: the operator is told, of each message once."""

from __future__ import annotations

from typing import TYPE_CHECKING

from chimein_gui.domain.events import FaultReported
from chimein_gui.domain.ids import Revision

if TYPE_CHECKING:
    from chimein_gui.domain.ids import AgentId, MessageId
    from chimein_gui.engine.core.event_bus import EventBus

_MESSAGE = "Telegram sent a message that this version of Chimein can't read."
_OTHER = "Telegram sent something that this version of Chimein can't read; the chats were compared instead."
_REMEDY = "All others were taken in. Look for it in Telegram itself; a newer version may show it here."


class LeftOut:
    """Remembers what was told while the program runs, however often it is fetched."""

    def __init__(self, bus: EventBus) -> None:
        """Wire the services."""
        self._bus = bus
        self._told: dict[AgentId, set[MessageId]] = {}

    def tell(self, agent_id: AgentId, ids: tuple[MessageId, ...]) -> None:
        """Tell of messages of an agent's account, by their raw ids; without ids it is something else."""
        told = self._told.setdefault(agent_id, set())
        if ids and told.issuperset(ids):
            return
        told.update(ids)
        cause = _MESSAGE if ids else _OTHER
        self._bus.publish(FaultReported(f"account of {agent_id}: left out", cause, _REMEDY, Revision(0)))
