"""What the window asks of the engine about money."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from chimein_gui.domain.costs import CostToday


class CostsConsole(Protocol):
    """The cost ledger, as far as the top bar needs it."""

    async def today(self) -> CostToday:
        """Return what the calls of the operator's day have cost so far."""
        ...
