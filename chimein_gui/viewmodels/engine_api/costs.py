"""What the window asks of the engine about money."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from chimein_gui.domain.costs import AgentDay, CostToday
    from chimein_gui.domain.ids import AgentId


class CostsConsole(Protocol):
    """The cost ledger, as far as the window needs it."""

    async def today(self) -> CostToday:
        """Return what the calls of the operator's day have cost so far."""
        ...

    async def agent_today(self, agent_id: AgentId) -> AgentDay:
        """Return what an agent did on the operator's day so far."""
        ...
