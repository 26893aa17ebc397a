"""Faults that happen at once: cut connections, ended keys, a server that restarts."""

import asyncio
from collections.abc import Callable
from dataclasses import replace
from typing import Protocol

from chimein_gui.sandbox.faults.board import FaultBoard
from chimein_gui.sandbox.sign_in.server import SignInServer
from chimein_gui.sandbox.world.world import World
from chimein_gui.sandbox_api import FaultKind, FaultRule, Incident


class ServerControl(Protocol):
    """The part of the Telegram server that these faults use."""

    def kick(self, user_id: int) -> None:
        """Cut all connections of an account."""
        ...

    def restart(self, seconds: float) -> asyncio.Future[None]:
        """Close, and listen again on the same port after some seconds; the future is done when it listens."""
        ...


class FaultsAtOnce:
    """Executes rules of kinds that happen at once."""

    def __init__(self, board: FaultBoard, world: World, sign_in: SignInServer, server_control: ServerControl) -> None:
        self._board = board
        self._world = world
        self._server_control = server_control
        self._actions: dict[FaultKind, Callable[[int], None]] = {
            FaultKind.KICK: server_control.kick,
            FaultKind.FORGET_KEY: sign_in.forget_all,
            FaultKind.REVOKE: sign_in.revoke_all,
            FaultKind.COLLECTIBLE_NAMES: self._sell_names,
            FaultKind.LATER_LAYER: self._hide_next,
        }

    def strike(self, rule: FaultRule) -> asyncio.Future[None] | None:
        """Execute the rule.

        Returns:
            For a RESTART a future that is done when the server is back; None for everything else.

        Raises:
            LookupError: There is no such account.
        """
        if rule.kind is FaultKind.RESTART:
            self._board.tell(Incident(rule))
            return self._server_control.restart(rule.seconds)
        if rule.account_id not in self._world.users:
            raise LookupError(f"no user {rule.account_id} in the sandbox")
        self._actions[rule.kind](rule.account_id)
        self._board.tell(Incident(rule, account=self._world.users[rule.account_id].name))
        return None

    def _hide_next(self, user_id: int) -> None:
        """Put an object of a later TL layer into the next message to a user, in every answer that contains it."""
        box = self._world.box(user_id)
        box.later_layer.add(max((box.last_id, *box.later_layer)) + 1)

    def _sell_names(self, user_id: int) -> None:
        """Give a user two bought user names, made from their own; they replace it."""
        user = self._world.users[user_id]
        own = user.username or user.first_name.casefold()
        self._world.directory.put(replace(user, username="", bought=(own, f"{own}_too")))
        self._world.journal.commit()
