"""Where a rehearsal's faults are ordered: checks a rule, then hangs it on the board or lets it happen."""

import asyncio

from chimein_gui.sandbox.faults.at_once import FaultsAtOnce
from chimein_gui.sandbox.faults.board import FaultBoard
from chimein_gui.sandbox.faults.catalogue import read_offers
from chimein_gui.sandbox.faults.checks import check
from chimein_gui.sandbox.faults.families import FAMILIES, Family
from chimein_gui.sandbox.faults.repeats import Repeats
from chimein_gui.sandbox_api import DuplicateMode, FaultRule


class FaultDesk:
    """The fault part of the console; see the package for how it is used.

    Attributes:
        board: The rules in force.
        repeats: What a repeated `random_id` gets.
        offers: What people can pick.
    """

    def __init__(self, board: FaultBoard, at_once: FaultsAtOnce, repeats: Repeats) -> None:
        self.board = board
        self.repeats = repeats
        self.offers = read_offers()
        self._at_once = at_once

    async def inject(self, rule: FaultRule) -> int:
        """Put a rule into force, or let it happen; after a RESTART the server listens again when this returns.

        Returns:
            The id of the rule; 0 for what has happened at once.

        Raises:
            LookupError: If it is to happen to an account that does not exist.
            ValueError: If it makes no sense; in words for the operator.
        """
        fault_id, back_again = self._order(rule)
        if back_again is not None:
            await asyncio.shield(back_again)  # the server comes back, whether or not somebody still waits for it
        return fault_id

    def begin(self, rule: FaultRule) -> int:
        """Do the same as `inject`, without waiting for the end of a RESTART."""
        return self._order(rule)[0]

    def _order(self, rule: FaultRule) -> tuple[int, asyncio.Future[None] | None]:
        check(rule)
        if FAMILIES[rule.kind] is Family.AT_ONCE:
            return 0, self._at_once.strike(rule)
        return self.board.put(rule), None

    def remove(self, fault_id: int) -> None:
        """Take a rule back; one that has ended already is no error.

        Raises:
            LookupError: If there has never been a rule of this id.
        """
        self.board.remove(fault_id)

    def clear(self) -> None:
        """Take all rules back."""
        self.board.clear()

    def set_duplicate_mode(self, mode: DuplicateMode) -> None:
        """Decide what a repeated `random_id` gets."""
        self.repeats.mode = mode
        self.board.changes.change()

    def set_seed(self, seed: int) -> None:
        """Start the generator of all chance anew."""
        self.board.set_seed(seed)

    def forget_random_ids(self, older_than_s: float) -> int:
        """Forget the `random_id` of messages sent at least so long ago; returns how many.

        Raises:
            ValueError: If `older_than_s` is negative.
        """
        if not older_than_s >= 0:
            raise ValueError(f"An age in seconds is 0 or more, not {older_than_s:g}.")
        return self.repeats.forget_older_than(older_than_s)
