"""Accepts faults of a rehearsal: checks a rule, then activates it or executes it at once.

Those that people can choose by name are in `resources/sandbox/faults.toml`, in the order of the window.
"""

import asyncio
import tomllib
from typing import Any

from chimein_gui.resource_files import resource_path
from chimein_gui.sandbox.faults.at_once import FaultsAtOnce
from chimein_gui.sandbox.faults.board import FaultBoard
from chimein_gui.sandbox.faults.checks import check
from chimein_gui.sandbox.faults.families import FAMILIES, NEED_ACCOUNT, Family
from chimein_gui.sandbox.faults.repeated_sends import Repeats
from chimein_gui.sandbox.text_files import read_text
from chimein_gui.sandbox_api import DuplicateMode, FaultOffer, FaultRule, from_json


class FaultInjector:
    """The fault part of the console; the package's docstring describes its use.

    Attributes:
        board: The active rules.
        repeats: The answer to a repeated `random_id`.
        offers: The faults to choose.
    """

    def __init__(self, board: FaultBoard, at_once: FaultsAtOnce, repeats: Repeats) -> None:
        self.board = board
        self.repeats = repeats
        self.offers = read_offers()
        self._at_once = at_once

    async def inject(self, rule: FaultRule) -> int:
        """Activate a rule, or execute it at once; after a RESTART the server listens again when this returns.

        Returns:
            The id of the rule; 0 if it was executed at once.

        Raises:
            LookupError: The account does not exist.
            ValueError: The rule is invalid; the text is for the operator.
        """
        fault_id, back_again = self._order(rule)
        if back_again is not None:
            await asyncio.shield(back_again)  # shielded, because the server comes back even if the caller is cancelled
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
        """Remove a rule; one that has already ended is no error.

        Raises:
            LookupError: There has never been a rule with this id.
        """
        self.board.remove(fault_id)

    def clear(self) -> None:
        """Remove all rules."""
        self.board.clear()

    def set_duplicate_mode(self, mode: DuplicateMode) -> None:
        """Set the answer to a repeated `random_id`."""
        self.repeats.mode = mode
        self.board.changes.change()

    def set_seed(self, seed: int) -> None:
        """Restart the random generator with a seed."""
        self.board.set_seed(seed)

    def forget_random_ids(self, older_than_s: float) -> int:
        """Forget the `random_id` of messages at least this old; returns their number.

        Raises:
            ValueError: `older_than_s` is negative.
        """
        if not older_than_s >= 0:
            raise ValueError(f"An age in seconds is 0 or more, not {older_than_s:g}.")
        return self.repeats.forget_older_than(older_than_s)


def read_offers() -> tuple[FaultOffer, ...]:
    """Return all faults that can be chosen.

    Raises:
        OSError: The file can't be read.
        ValueError: It is damaged.
    """
    table = tomllib.loads(read_text(resource_path("sandbox", "faults.toml")))
    return tuple(_offer(name, entry) for name, entry in table.items())


def _offer(name: str, entry: dict[str, Any]) -> FaultOffer:
    title, summary = entry.pop("title"), entry.pop("summary")
    rule = from_json(FaultRule, entry)
    return FaultOffer(name, title, summary, rule, needs_account=rule.kind in NEED_ACCOUNT)
