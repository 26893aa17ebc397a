"""Hold everything: which brakes are on, and what a release has opened for review."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from PySide6.QtCore import Signal

from chimein_gui.domain.events import BacklogOpened, HoldsChanged
from chimein_gui.domain.holds import HoldScope
from chimein_gui.viewmodels.verb_sender import VerbSender

if TYPE_CHECKING:
    from collections.abc import Sequence

    from PySide6.QtCore import QObject

    from chimein_gui.domain.approvals import Approval
    from chimein_gui.domain.events import EngineEvent
    from chimein_gui.domain.holds import Hold
    from chimein_gui.domain.ids import AccountId, ChatId
    from chimein_gui.engine.ports import Spawn
    from chimein_gui.viewmodels.bridge import EngineBridge
    from chimein_gui.viewmodels.console import BrakesConsole, Console


class HoldModel(VerbSender):
    """The brakes, and the verbs that go with them.

    Attributes:
        changed: Another list of brakes.
        backlog_opened: What lived through a hold, as a `Backlog`.
        confirmed: The answers to one press on the backlog, a tuple of `Outcome`.
    """

    changed = Signal()
    backlog_opened = Signal(object)
    confirmed = Signal(object)

    def __init__(self, bridge: EngineBridge, parent: QObject | None = None) -> None:
        super().__init__(bridge, parent)
        self._brakes: BrakesConsole | None = None
        bridge.batch_ready.connect(self._receive)
        self.holds: tuple[Hold, ...] = ()

    def attach(self, console: Console, spawn: Spawn) -> None:
        """Fetch the brakes; the bridge must be attached before."""
        super().attach(console, spawn)
        self._brakes = console.brakes
        self._send(self._fetch(console.brakes), "load holds")

    def everything(self) -> Hold | None:
        """Return the brake that holds everything, if it is on."""
        return next((hold for hold in self.holds if hold.scope is HoldScope.ALL), None)

    def over(self, account_id: AccountId, chat_id: ChatId) -> Hold | None:
        """Return a brake that holds a chat, the widest first, or None."""
        fitting = [hold for hold in self.holds if hold.covers(account_id, chat_id)]
        return min(fitting, key=lambda hold: list(HoldScope).index(hold.scope), default=None)

    def hold(self, reason: str = "") -> None:
        """Hold everything."""
        if self._brakes is not None:
            self._send(self._brakes.hold(HoldScope.ALL, 0, reason), "hold everything")

    def release(self, scope: HoldScope = HoldScope.ALL, target: int = 0) -> None:
        """Let a brake go; nothing is sent by this."""
        if self._brakes is not None:
            self._send(self._release(self._brakes, scope, target), f"release {scope} {target}")

    def confirm(self, account_id: AccountId, ticked: Sequence[Approval]) -> None:
        """Approve the ticked sends of one account, as they are on the screen."""
        if self._brakes is not None and ticked:
            self._send(self._confirm(self._brakes, account_id, tuple(ticked)), f"confirm backlog {account_id}")

    async def _fetch(self, brakes: BrakesConsole) -> None:
        # A change is told as the whole list, and after the fetch that does not know it.
        loaded = await brakes.load()
        self._bridge.deliver(lambda: self._install(loaded.rows))

    async def _release(self, brakes: BrakesConsole, scope: HoldScope, target: int) -> None:
        await brakes.release(scope, target)

    async def _confirm(self, brakes: BrakesConsole, account_id: AccountId, ticked: tuple[Approval, ...]) -> None:
        outcomes = await brakes.confirm(account_id, ticked, client_id=os.urandom(16).hex())
        self._bridge.deliver(lambda: self.confirmed.emit(outcomes))

    def _install(self, holds: tuple[Hold, ...]) -> None:
        self.holds = holds
        self.changed.emit()

    def _receive(self, events: tuple[EngineEvent, ...]) -> None:
        for event in events:
            if isinstance(event, HoldsChanged):
                self._install(event.holds)
            elif isinstance(event, BacklogOpened):
                self.backlog_opened.emit(event.backlog)
