"""Engine protocol for costs."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from chimein_gui.domain.costs import AgentDay, CostToday
    from chimein_gui.domain.ids import AgentId


class CostsConsole(Protocol):
    """The figures of the cost ledger that the window shows."""

    async def today(self) -> CostToday:
        """Return today's cost of the model calls; the day is that of the operator's time zone."""
        ...

    async def agent_today(self, agent_id: AgentId) -> AgentDay:
        """Return an agent's figures of today; the day is that of the operator's time zone."""
        ...
