"""Hold everything, as the window drives it: press, release, and the review of what lived through it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from chimein_gui.domain.holds import HoldScope

if TYPE_CHECKING:
    from collections.abc import Sequence

    from chimein_gui.domain.approvals import Approval, Outcome
    from chimein_gui.domain.holds import Backlog, Hold
    from chimein_gui.domain.ids import AccountId
    from chimein_gui.domain.loaded import Loaded
    from chimein_gui.engine.operator.backlog import BacklogReview
    from chimein_gui.engine.operator.holds import Holds


class Brakes:
    """The brakes and the backlog."""

    def __init__(self, holds: Holds, review: BacklogReview) -> None:
        """Wire the services."""
        self._holds = holds
        self._review = review

    async def load(self) -> Loaded[Hold]:
        """Return the brakes that are on, oldest first."""
        return await self._holds.load()

    async def hold(self, scope: HoldScope = HoldScope.ALL, target: int = 0, reason: str = "") -> None:
        """Hold everything, one account or one chat; a disk that does not take it makes it a hold of everything.

        Args:
            scope: What is held.
            target: The account or chat id; 0 for all.
            reason: The operator's words; may be empty.
        """
        await self._holds.hold(scope, target, reason)

    async def release(self, scope: HoldScope = HoldScope.ALL, target: int = 0) -> Backlog:
        """Let a brake go; nothing is sent by this.

        Returns:
            What lived through it, for review; it is published as well.

        Raises:
            StoreError: The disk does not take writes: nothing was released.
        """
        return await self._holds.release(scope, target)

    async def load_backlog(self) -> Backlog:
        """Return what lived through a hold and is not decided yet, as a release opened it, also after a restart."""
        return await self._holds.load_backlog()

    async def confirm(
        self, account_id: AccountId, ticked: Sequence[Approval], *, client_id: str
    ) -> tuple[Outcome, ...]:
        """Approve the ticked of one account, as they are on the screen; always-ask and stale ones are refused.

        Raises:
            NotFoundError: There is no such card.
            StoreError: Nothing was decided.
        """
        return await self._review.confirm(account_id, ticked, client_id=client_id)
