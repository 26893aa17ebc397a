"""The active holds, and the backlog that a release opens for review."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Protocol

from PySide6.QtCore import Signal

from chimein_gui.domain.events import ApprovalResolved, BacklogOpened, HoldsChanged, TaskStatusChanged
from chimein_gui.domain.holds import HoldScope
from chimein_gui.domain.tasks import TaskStatus
from chimein_gui.viewmodels.core.commands import CommandRunner

if TYPE_CHECKING:
    from collections.abc import Sequence

    from PySide6.QtCore import QObject

    from chimein_gui.domain.approvals import Approval
    from chimein_gui.domain.events import EngineEvent
    from chimein_gui.domain.holds import Backlog, Hold
    from chimein_gui.domain.ids import AccountId, ApprovalId, ChatId
    from chimein_gui.engine.ports import Spawn
    from chimein_gui.viewmodels.core.bridge import EngineBridge
    from chimein_gui.viewmodels.engine_api.engine import BacklogService, HoldsService


class HoldApi(Protocol):
    """What this model asks of the engine."""

    @property
    def backlog(self) -> BacklogService:
        """The sends that were held, after the release."""
        ...

    @property
    def holds(self) -> HoldsService:
        """Holds, and their release."""
        ...


class HoldModel(CommandRunner[HoldApi]):
    """The active holds, and the commands on them.

    Attributes:
        changed: The list of holds changed.
        standing_changed: The sends of an earlier run's backlog that wait for review changed.
        backlog_opened: Carries the sends that were held, as a `Backlog`.
        confirmed: The results of one confirmation of backlog sends, a tuple of `Outcome`.
        decided: A send no longer waits for a decision; carries its approval's id.
    """

    changed = Signal()
    standing_changed = Signal()
    backlog_opened = Signal(object)
    confirmed = Signal(object)
    decided = Signal(object)

    def __init__(self, bridge: EngineBridge, parent: QObject | None = None) -> None:
        super().__init__(bridge, parent)
        self._holds: HoldsService | None = None
        self._backlog: BacklogService | None = None
        bridge.batch_ready.connect(self._receive)
        self.holds: tuple[Hold, ...] = ()
        self._standing: dict[ApprovalId, Approval] = {}

    def attach(self, api: HoldApi, spawn: Spawn) -> None:
        """Fetch the holds; the bridge must be attached before."""
        super().attach(api, spawn)
        self._holds = api.holds
        self._backlog = api.backlog
        self._send(self._fetch(api.holds), "load holds")

    def standing(self) -> int:
        """Return how many backlog sends still wait for review and are not under an active hold."""
        return sum(self.over(one.account_id, one.chat_id) is None for one in self._standing.values())

    def review(self) -> None:
        """Open the review of the sends that were held, as a release does; nothing opens where there are none."""
        if self._holds is not None:
            self._send(self._review(self._holds), "review backlog")

    def everything(self) -> Hold | None:
        """Return the hold on everything; None where it is not active."""
        return next((hold for hold in self.holds if hold.scope is HoldScope.ALL), None)

    def over(self, account_id: AccountId, chat_id: ChatId) -> Hold | None:
        """Return the widest hold that covers a chat, or None."""
        fitting = [hold for hold in self.holds if hold.covers(account_id, chat_id)]
        return min(fitting, key=lambda hold: list(HoldScope).index(hold.scope), default=None)

    def of_account(self, account_id: AccountId | None) -> Hold | None:
        """Return the hold on one account, or None."""
        mine = (hold for hold in self.holds if hold.scope is HoldScope.ACCOUNT and hold.target == account_id)
        return next(mine, None)

    def hold(self, reason: str = "", scope: HoldScope = HoldScope.ALL, target: int = 0) -> None:
        """Hold everything, one account or one chat; on an existing hold it replaces the reason."""
        if self._holds is not None:
            self._send(self._holds.hold(scope, target, reason), f"hold {scope} {target}")

    def release(self, scope: HoldScope = HoldScope.ALL, target: int = 0) -> None:
        """Release a hold; this sends nothing by itself."""
        if self._holds is not None:
            self._send(self._release(self._holds, scope, target), f"release {scope} {target}")

    def confirm(self, account_id: AccountId, ticked: Sequence[Approval]) -> None:
        """Approve the ticked sends of one account, as they were shown."""
        if self._backlog is not None and ticked:
            self._send(self._confirm(self._backlog, account_id, tuple(ticked)), f"confirm backlog {account_id}")

    async def _fetch(self, holds: HoldsService) -> None:
        # Each event carries the whole list, so a change during the fetch is delivered after it and replaces it.
        loaded = await holds.load()
        self._bridge.deliver(lambda: self._install(loaded.rows))
        backlog = await holds.load_backlog()
        self._bridge.deliver(lambda: self._install_standing(backlog))

    async def _review(self, holds: HoldsService) -> None:
        backlog = await holds.load_backlog()

        def show() -> None:
            self._install_standing(backlog)
            if backlog.items:
                self.backlog_opened.emit(backlog)

        self._bridge.deliver(show)

    async def _release(self, holds: HoldsService, scope: HoldScope, target: int) -> None:
        await holds.release(scope, target)

    async def _confirm(self, backlog: BacklogService, account_id: AccountId, ticked: tuple[Approval, ...]) -> None:
        outcomes = await backlog.confirm(account_id, ticked, client_id=os.urandom(16).hex())
        self._bridge.deliver(lambda: self.confirmed.emit(outcomes))

    def _install(self, holds: tuple[Hold, ...]) -> None:
        self.holds = holds
        self.changed.emit()

    def _install_standing(self, backlog: Backlog) -> None:
        self._standing = {item.approval.approval_id: item.approval for item in backlog.items}
        self.standing_changed.emit()

    def _forget_decided(self, approval: Approval) -> None:
        if approval.task_status is TaskStatus.AWAITING_DECISION:
            return
        if self._standing.pop(approval.approval_id, None) is not None:
            self.standing_changed.emit()
        self.decided.emit(approval.approval_id)

    def _receive(self, events: tuple[EngineEvent, ...]) -> None:
        for event in events:
            if isinstance(event, HoldsChanged):
                self._install(event.holds)
            elif isinstance(event, BacklogOpened):
                self.backlog_opened.emit(event.backlog)
            elif isinstance(event, TaskStatusChanged | ApprovalResolved):
                self._forget_decided(event.approval)
