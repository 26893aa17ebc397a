"""Costs of model calls, and the caps on them, as the view models ask for them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from datetime import date
    from pathlib import Path

    from chimein_gui.domain.costs import AgentDay, CostToday
    from chimein_gui.domain.ids import AgentId
    from chimein_gui.domain.spending.caps import CapDay, CapKey, Release
    from chimein_gui.domain.spending.sums import CostRow, PlanCosts


class CostsService(Protocol):
    """The figures of the cost ledger that the window shows."""

    async def today(self) -> CostToday:
        """Return today's cost of the model calls; the day is that of the operator's time zone."""
        ...

    async def sums(self, first: date, last: date) -> tuple[CostRow, ...]:
        """Return what calls cost from the first to the last of some days, by agent, chat, purpose and model."""
        ...

    async def plans(self, first: date, last: date) -> PlanCosts:
        """Return what single plans cost from the first to the last of some days."""
        ...

    async def write(self, path: Path, text: str) -> None:
        """Write a table of costs into a file.

        Raises:
            OSError: It can't be written.
        """
        ...

    async def agent_today(self, agent_id: AgentId) -> AgentDay:
        """Return an agent's figures of today; the day is that of the operator's time zone."""
        ...


class CapsService(Protocol):
    """Caps on costs, and the answers to a cap that is reached."""

    async def standings(self) -> tuple[CapDay, ...]:
        """Return the caps on the current day, and the models without a price that plans wait for."""
        ...

    async def set_cap(self, key: CapKey, usd: float | None) -> float | None:
        """Set or remove a cap; returns the one before.

        Raises:
            RefusedError: The amount can't be a cap.
        """
        ...

    async def release(self, key: CapKey, answer: Release, usd: float = ...) -> None:
        """Answer a cap that is reached, for the current day.

        Raises:
            RefusedError: The amount can't be added.
        """
        ...


class CostsApi(Protocol):
    """What the engine tells about costs."""

    @property
    def costs(self) -> CostsService:
        """What model calls cost."""
        ...

    @property
    def caps(self) -> CapsService:
        """Caps on that."""
        ...
