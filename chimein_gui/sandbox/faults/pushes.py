"""Faults of the stream of updates."""

from collections.abc import Callable

from chimein_gui.sandbox.faults.board import FaultBoard
from chimein_gui.sandbox.faults.reduced_updates import bare, short, unmarked
from chimein_gui.sandbox_api import FaultKind

_REDUCED: dict[FaultKind, Callable[[bytes], list[bytes]]] = {
    FaultKind.SHORT_UPDATES: short,
    FaultKind.BARE_UPDATES: bare,
    FaultKind.UNMARKED_MENTIONS: unmarked,
}


class PushFaults:
    """Loses, doubles and swaps pushes to an account, or reduces their content.

    The account's box is not affected: lost pushes are found by updates.getDifference, as on live Telegram. A push that
    waits for its follower is dropped when the account has no connection left. The follower itself is never hit, so that
    a rule without end swaps pair after pair.
    """

    def __init__(self, board: FaultBoard) -> None:
        self._board = board
        self._held: dict[int, bytes] = {}

    def passed(self, owner_id: int, pushes: list[bytes]) -> list[bytes]:
        """Return what is really sent in place of `pushes`, in order."""
        if self._board.has_push_faults or owner_id in self._held:
            return [sent for push in pushes for sent in self._passed_one(owner_id, push)]
        return pushes

    def forget(self, owner_id: int) -> None:
        """Drop the waiting push of an account without connections."""
        self._held.pop(owner_id, None)

    def _passed_one(self, owner_id: int, push: bytes) -> list[bytes]:
        if owner_id in self._held:
            return [push, self._held.pop(owner_id)]
        rule = self._board.push_fault(owner_id)
        if rule is None:
            return [push]
        if rule.kind is FaultKind.REORDER_UPDATES:
            self._held[owner_id] = push
        if rule.kind in _REDUCED:
            return _REDUCED[rule.kind](push)
        return [push, push] if rule.kind is FaultKind.DUPLICATE_UPDATES else []
