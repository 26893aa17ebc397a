"""The operator: looks at what waits, and approves, edits, rejects, takes back or leaves it, at random."""

from __future__ import annotations

import asyncio
import itertools
import random
from collections import Counter

from chimein_gui.domain.approvals import Approval, Approve, ApproveEdited, Decision, Reject, Undo, Verdict
from chimein_gui.domain.chats import TrustLevel
from chimein_gui.domain.tasks import ApprovalState, TaskStatus
from tests.sandbox.campaign.stage import Stage

LOOK_S = 0.4
_TRUSTED_SHARE = 0.3


class Operator:
    """One person at the console."""

    def __init__(self, stage: Stage, chance: random.Random) -> None:
        self.done: Counter[str] = Counter()
        self._stage = stage
        self._chance = chance
        self._numbers = itertools.count()

    async def run(self) -> None:
        """Work until cancelled."""
        while True:
            await asyncio.sleep(LOOK_S)
            await self._stage.log_in_again()
            await self._look(tidy=False)
            if self._chance.random() < 0.02:
                await self._trust()

    async def tidy_up(self) -> bool:
        """Decide everything that waits; tells whether nothing is open any more."""
        await self._stage.log_in_again()
        return await self._look(tidy=True)

    async def _look(self, *, tidy: bool) -> bool:
        waiting = (await self._stage.engine.queries.approvals()).rows
        for approval in waiting:
            decision = self._decision(approval, tidy=tidy)
            if decision is None:
                continue
            outcome = await self._stage.engine.decisions.decide(
                approval.approval_id,
                expected_version=approval.version,
                decision=decision,
                seen_up_to=approval.seen_up_to,
                client_id=f"campaign {next(self._numbers)}",
            )
            verdict = outcome.verdict
            word = type(decision).__name__ if verdict is Verdict.ACCEPTED else f"{verdict} meanwhile"
            self.done[word] += 1
            if verdict is Verdict.CHANGED and tidy:
                await self._reject(approval)
        return not waiting

    async def _reject(self, approval: Approval) -> None:
        await self._stage.engine.decisions.decide(
            approval.approval_id,
            expected_version=approval.version,
            decision=Reject("There is something newer."),
            seen_up_to=approval.seen_up_to,
            client_id=f"campaign {next(self._numbers)}",
        )

    def _decision(self, approval: Approval, *, tidy: bool) -> Decision | None:
        if approval.state is ApprovalState.APPROVED:
            is_undone = approval.task_status is TaskStatus.APPROVED and not tidy and self._chance.random() < 0.05
            return Undo() if is_undone else None
        if approval.state is not ApprovalState.OPEN or approval.task_status is not TaskStatus.AWAITING_DECISION:
            return None
        roll = self._chance.random()
        if roll < 0.55 or (tidy and roll < 0.7):
            return Approve()
        if roll < 0.7:
            return ApproveEdited(
                f"{approval.text}\n— {self._chance.choice(('N.', 'soon', 'promise 🙂', 'до встречи'))}"
            )
        if roll < 0.85 or tidy:
            return Reject(self._chance.choice(("", "Too long", "Not now")))
        return None

    async def _trust(self) -> None:
        chats = (await self._stage.engine.queries.chats()).rows
        if chats:
            level = TrustLevel.AUTO if self._chance.random() < _TRUSTED_SHARE else TrustLevel.REVIEW
            await self._stage.engine.chat_settings.set_trust(self._chance.choice(chats).chat_id, level)
            self.done[f"trust {level}"] += 1
