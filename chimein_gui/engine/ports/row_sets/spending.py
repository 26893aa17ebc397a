"""Row set of what model calls cost: caps, calls under way, sums a day."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date
from typing import Protocol

from chimein_gui.domain.ids import ChatId
from chimein_gui.domain.spending.caps import CapDay, CapKey, Payer, Reservation
from chimein_gui.domain.spending.sums import CostRow


class SpendingRows(Protocol):
    """Caps on costs, and what is counted against them. Days are those of the operator's zone."""

    def caps(self) -> Mapping[CapKey, float]:
        """Return all caps, in US dollars a day."""
        ...

    def set_cap(self, key: CapKey, usd: float | None) -> float | None:
        """Set a cap, or remove it; returns what it was."""
        ...

    def day_of_caps(self, day: date, payer: Payer | None = None) -> tuple[CapDay, ...]:
        """Return the caps on a day, the widest first; with a payer only those that cover it."""
        ...

    def release(
        self, day: date, key: CapKey, *, added_usd: float = 0.0, is_lifted: bool = False, is_quiet: bool = False
    ) -> None:
        """Add to a cap, lift it or keep it from asking, on a day; what was given before stays."""
        ...

    def is_lifted(self, day: date, key: CapKey) -> bool:
        """Return whether a cap is lifted, or a model without a price permitted, on a day."""
        ...

    def is_quiet(self, day: date, key: CapKey) -> bool:
        """Return whether the operator wants it not to ask on a day."""
        ...

    def sums(self, first: date, last: date) -> tuple[CostRow, ...]:
        """Return what calls cost from the first to the last day, oldest first."""
        ...

    def let_pass(self, chat_id: ChatId) -> None:
        """Let the next plan of a chat be made, whatever it costs."""
        ...

    def may_pass(self, chat_id: ChatId) -> bool:
        """Return whether the next plan of a chat is made, whatever it costs."""
        ...

    def take_pass(self, chat_id: ChatId) -> None:
        """Remove the permission of `let_pass`, if there is one."""
        ...

    def reserve(self, reservation: Reservation) -> None:
        """Insert a call that begins; booking it with its token removes it."""
        ...

    def drop(self, token: int) -> None:
        """Remove a call that was not made after all."""
        ...

    def reservations(self) -> tuple[Reservation, ...]:
        """Return the calls that were begun and are not booked, oldest first."""
        ...
