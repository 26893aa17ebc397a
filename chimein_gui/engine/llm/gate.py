"""What keeps calls within the caps on costs, as those who make calls see it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from chimein_gui.domain.costs import Price
    from chimein_gui.domain.notes import Note
    from chimein_gui.domain.spending.caps import Payer
    from chimein_gui.engine.ports import Transaction


class Gate(Protocol):
    """Admits calls before they are made, and hears of their end."""

    prices: tuple[Price, ...]
    """What calls cost that begin or end from now on."""

    async def reserve(self, payer: Payer, model: str, purpose: str, prompt_tokens: int) -> int:
        """Reserve what a call may cost at most; returns the number with which `end` ends it.

        Raises:
            ModelCapError: A cap is reached, or can't hold.
            StoreError: It could not be stored.
        """
        ...

    def end(self, token: int) -> int:
        """Note that a call has ended; returns the number under which it is to be booked, 0 if nothing is stored."""
        ...

    def problem(self, tx: Transaction, payer: Payer, model: str) -> Note | None:
        """Return why no plan can be made now, or None (writer thread)."""
        ...
