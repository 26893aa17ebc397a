"""What keeps calls within the caps on costs, as those who make calls see it."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple, Protocol

if TYPE_CHECKING:
    from collections.abc import Callable

    from chimein_gui.domain.costs import Price
    from chimein_gui.domain.notes import Note
    from chimein_gui.domain.spending.caps import Payer
    from chimein_gui.engine.ports import Transaction


class UnderWay(NamedTuple):
    """A call that no cap concerned when it began; what it may cost counts for a cap that is set meanwhile.

    Attributes:
        payer: For whom it is made.
        model: Model name.
        purpose: For the cost ledger.
        tokens: Estimates the tokens of the prompt; on any thread.
    """

    payer: Payer
    model: str
    purpose: str
    tokens: Callable[[], int]


class Gate(Protocol):
    """Admits calls before they are made, and hears of their end.

    Without caps, `ModelCalls` only notes a call in `under_way`, and asks nothing.
    """

    prices: tuple[Price, ...]
    """What calls cost that begin or end from now on."""
    has_caps: bool
    """Whether the operator has set any cap."""
    under_way: dict[int, UnderWay]
    """Calls for which nothing is stored, by number."""

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
