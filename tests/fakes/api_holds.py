"""The holds of the small engine: the engine's own, on its rows."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, cast

from chimein_gui.domain import events as ev
from chimein_gui.domain.approvals import Approval, Outcome
from chimein_gui.domain.holds import Backlog, Hold, HoldScope
from chimein_gui.domain.ids import AccountId, Revision
from chimein_gui.domain.loaded import Loaded
from chimein_gui.engine.operator.backlog import BacklogReview
from chimein_gui.engine.operator.holds import Holds
from chimein_gui.engine.policy.hold_check import InMemoryHold
from chimein_gui.engine.sending.in_flight import InFlightRequests

if TYPE_CHECKING:
    from tests.fakes.engine_api import FakeEngineApi


class FakeHolds:
    """The engine's holds and their backlog; a test may set what a release opens, and its result."""

    def __init__(self, api: FakeEngineApi) -> None:
        self._api = api
        self._real = Holds(
            api.unit,
            api.bus,
            api.environment,
            cast("InFlightRequests", NothingFlies()),
            InMemoryHold(api.now),
            lambda _chat, _at: None,
        )
        self._review = BacklogReview(api.rules)
        self._backlog = Backlog((), ())
        self.holds: tuple[Hold, ...] = ()
        self.confirmed: list[tuple[int, tuple[int, ...]]] = []
        self.verdicts: dict[int, Outcome] = {}

    @property
    def backlog(self) -> Backlog:
        """The backlog of the next or last release; a test may set it."""
        return self._backlog

    @backlog.setter
    def backlog(self, backlog: Backlog) -> None:
        self._backlog = backlog
        self._api.approvals.update({item.approval.approval_id: item.approval for item in backlog.items})

    async def load(self) -> Loaded[Hold]:
        return await self._real.load()

    async def hold(self, scope: HoldScope = HoldScope.ALL, target: int = 0, reason: str = "") -> None:
        await self._real.load()
        await self._real.hold(scope, target, reason)

    async def release(self, scope: HoldScope = HoldScope.ALL, target: int = 0) -> Backlog:
        if not self.backlog.items:
            await self._real.load()
            return await self._real.release(scope, target)
        self.put(*(hold for hold in self.holds if (hold.scope, hold.target) != (scope, target)))
        self._api.publish(ev.BacklogOpened(self.backlog, Revision(0)))
        return self.backlog

    async def load_backlog(self) -> Backlog:
        return self.backlog if self.backlog.items else await self._real.load_backlog()

    async def confirm(
        self, account_id: AccountId, ticked: Sequence[Approval], *, client_id: str
    ) -> tuple[Outcome, ...]:
        self.confirmed.append((account_id, tuple(approval.approval_id for approval in ticked)))
        said = [self.verdicts[approval.approval_id] for approval in ticked if approval.approval_id in self.verdicts]
        left = [approval for approval in ticked if approval.approval_id not in self.verdicts]
        return (*said, *await self._review.confirm(account_id, left, client_id=client_id))

    def put(self, *holds: Hold) -> None:
        self.holds = holds
        self._api.publish(ev.HoldsChanged(holds, Revision(0)))


class NothingFlies:
    """No request is in flight."""

    async def wait_idle(self, _covers: object, _seconds: float) -> bool:
        return True
