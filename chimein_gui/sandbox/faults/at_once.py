"""The faults that happen at once: connections cut, keys ended, the server gone for a while."""

import asyncio
from collections.abc import Callable
from dataclasses import replace
from typing import Protocol

from chimein_gui.sandbox.faults.board import FaultBoard
from chimein_gui.sandbox.faults.sentences import sentence
from chimein_gui.sandbox.sign_in.desk import SignInDesk
from chimein_gui.sandbox.world.world import World
from chimein_gui.sandbox_api import FaultKind, FaultRule


class Door(Protocol):
    """The Telegram end, as far as faults handle it."""

    def kick(self, user_id: int) -> None:
        """Cut all connections of an account."""
        ...

    def restart(self, seconds: float) -> asyncio.Future[None]:
        """Close, and listen again on the same port after so many seconds; the future is done when it listens."""
        ...


class FaultsAtOnce:
    """Does at once what a rule of such a kind says."""

    def __init__(self, board: FaultBoard, world: World, sign_in: SignInDesk, door: Door) -> None:
        self._board = board
        self._world = world
        self._door = door
        self._pull: dict[FaultKind, Callable[[int], None]] = {
            FaultKind.KICK: door.kick,
            FaultKind.FORGET_KEY: sign_in.forget_all,
            FaultKind.REVOKE: sign_in.revoke_all,
            FaultKind.COLLECTIBLE_NAMES: self._sell_names,
            FaultKind.LATER_LAYER: self._hide_next,
        }

    def strike(self, rule: FaultRule) -> asyncio.Future[None] | None:
        """Let the rule happen.

        Returns:
            What is done when the server is back, for a RESTART; None for everything else.

        Raises:
            LookupError: If there is no such account.
        """
        if rule.kind is FaultKind.RESTART:
            self._board.tell(sentence(rule, "Telegram"))
            return self._door.restart(rule.seconds)
        if rule.account_id not in self._world.users:
            raise LookupError(f"no user {rule.account_id} in the sandbox")
        self._pull[rule.kind](rule.account_id)
        self._board.tell(sentence(rule, self._world.users[rule.account_id].name))
        return None

    def _hide_next(self, user_id: int) -> None:
        """Let the next message that comes to somebody hold an object of a later layer, wherever it is told."""
        box = self._world.box(user_id)
        box.later_layer.add(max((box.last_id, *box.later_layer)) + 1)

    def _sell_names(self, user_id: int) -> None:
        """Let somebody own two bought user names, made of the one they have, in its place."""
        user = self._world.users[user_id]
        own = user.username or user.first_name.casefold()
        self._world.directory.put(replace(user, username="", bought=(own, f"{own}_too")))
        self._world.journal.commit()
