"""Base of test set-ups on virtual time: due work is done before time moves on."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import TypeVar

from chimein_gui.adapters.store.store import SqliteStore
from chimein_gui.domain.approvals import Approval
from chimein_gui.engine.ports import Durability, LedgerRow, Transaction
from tests.fakes.clock import VirtualClock
from tests.support.thread_work import count_thread_work, is_working

WAIT_S = 60.0
"""Real seconds until a wait for an event counts as failed."""

_QUIET_ROUNDS = 8
"""Consecutive reads of the store without a write or a busy thread in between, after which all due work is done."""

T = TypeVar("T")

count_thread_work()


class OnVirtualTime:
    """A test set-up with a store and a clock."""

    store: SqliteStore
    clock: VirtualClock

    async def do(self, work: Callable[[Transaction], T]) -> T:
        """Run work in a separate transaction."""
        return await self.store.transact(work, durability=Durability.FULL)

    async def now(self, approval: Approval) -> Approval:
        """Return the current state of a card."""
        return await self.do(lambda tx: tx.approvals.get(approval.approval_id))

    async def rows(self, approval: Approval) -> tuple[LedgerRow, ...]:
        """Return the requests of a send that are neither void nor failed."""
        return await self.do(lambda tx: tx.ledger.of_approval(approval.approval_id))

    async def worked_off(self) -> None:
        """Wait until all due work is done: no thread works, and nothing is stored before something new happens."""
        quiet, before = 0, -1
        async with asyncio.timeout(WAIT_S):
            while quiet < _QUIET_ROUNDS:
                revision = await self.store.transact(lambda tx: tx.revision)
                await self.store.read(lambda tx: tx.revision)
                quiet = quiet + 1 if revision == before + 1 and not is_working() else 0
                before = revision

    async def pass_time(self, seconds: float, step_s: float = 1.0) -> None:
        """Move virtual time on in steps; the work that becomes due is done before the next step."""
        await self.worked_off()
        for _ in range(round(seconds / step_s)):
            self.clock.advance(step_s)
            await self.worked_off()

    async def reach(self, condition: Callable[[], T | None], step_s: float = 1.0) -> T:
        """Move virtual time on, as `pass_time` does, until a condition is true; returns its value."""
        async with asyncio.timeout(WAIT_S):
            while not (found := condition()):
                await self.pass_time(step_s, step_s)
        return found
