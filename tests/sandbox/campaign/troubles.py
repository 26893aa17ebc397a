"""What goes wrong: the whole catalogue of faults, at random, one every few seconds."""

from __future__ import annotations

import asyncio
import logging
import random
from collections import Counter
from dataclasses import replace

from chimein_gui.sandbox_api import DuplicateMode, FaultKind, FaultRule
from tests.sandbox.campaign.stage import Stage

_log = logging.getLogger(__name__)

PAUSE_S = 4.0
"""Mean pause between two faults."""

_SEND = "messages.sendMessage"
_HISTORY = "messages.getHistory"
_DIFFERENCE = "updates.getDifference"

K = FaultKind

# (weight, rule, whether it is about one account, picked at random)
MENU: tuple[tuple[int, FaultRule, bool], ...] = (
    (4, FaultRule(K.FLOOD_WAIT, _SEND, seconds=2), True),
    (1, FaultRule(K.FLOOD_WAIT, _DIFFERENCE, seconds=1), True),
    (1, FaultRule(K.FLOOD_WAIT, "messages.getDialogs", seconds=2), True),
    (2, FaultRule(K.RPC_ERROR, _SEND, code=400, message="PEER_FLOOD"), True),
    (2, FaultRule(K.RPC_ERROR, _SEND, code=403, message="CHAT_WRITE_FORBIDDEN"), True),
    (4, FaultRule(K.RPC_ERROR, _SEND, code=500, message="INTERNAL"), True),
    (1, FaultRule(K.RPC_ERROR, _HISTORY, code=500, message="INTERNAL"), True),
    (1, FaultRule(K.RPC_ERROR, _DIFFERENCE, code=500, message="INTERNAL"), True),
    (1, FaultRule(K.RPC_ERROR, "messages.readHistory", code=400, message="PEER_ID_INVALID"), True),
    (3, FaultRule(K.SLOW, seconds=1.5, times=5), False),
    (2, FaultRule(K.SLOW, _SEND, seconds=4), True),
    (3, FaultRule(K.NO_ANSWER, _SEND), True),
    (1, FaultRule(K.NO_ANSWER, _DIFFERENCE), True),
    (1, FaultRule(K.NO_ANSWER, _HISTORY), True),
    (4, FaultRule(K.DROP_BEFORE, _SEND), True),
    (4, FaultRule(K.DROP_AFTER, _SEND), True),
    (2, FaultRule(K.DROP_AFTER, times=3, probability=0.2), True),
    (2, FaultRule(K.DROP_BEFORE, _DIFFERENCE), True),
    (4, FaultRule(K.LOSE_UPDATES, times=2), True),
    (4, FaultRule(K.DUPLICATE_UPDATES, times=3), True),
    (4, FaultRule(K.REORDER_UPDATES, times=3), True),
    (3, FaultRule(K.KICK), True),
    (1, FaultRule(K.REVOKE), True),
    (1, FaultRule(K.FORGET_KEY), True),
    (1, FaultRule(K.RESTART, seconds=1), False),
    (2, FaultRule(K.DIFFERENCE_TOO_LONG), True),
    (2, FaultRule(K.MODEL_ERROR, code=429, message="Quota exceeded.", seconds=1), False),
    (2, FaultRule(K.MODEL_ERROR, code=500, message="Internal error."), False),
    (2, FaultRule(K.MODEL_ERROR, code=503, message="Overloaded.", seconds=1), False),
    (1, FaultRule(K.MODEL_ERROR, code=400, message="Bad request."), False),
    (2, FaultRule(K.MODEL_SLOW, seconds=3, times=2), False),
    (1, FaultRule(K.MODEL_HANG), False),
    (2, FaultRule(K.MODEL_DROP), False),
    (2, FaultRule(K.MODEL_BAD_JSON), False),
    (1, FaultRule(K.MODEL_BLOCKED), False),
    (1, FaultRule(K.MODEL_EMPTY), False),
    (1, FaultRule(K.MODEL_SAFETY), False),
    (1, FaultRule(K.MODEL_MAX_TOKENS), False),
    (1, FaultRule(K.MODEL_ODD_END, message="OTHER"), False),
    (1, FaultRule(K.MODEL_NO_CANDIDATES), False),
    (1, FaultRule(K.MODEL_THOUGHTS), False),
    (1, FaultRule(K.MODEL_CUT_OFF), False),
)

MODES = (DuplicateMode.ERROR, DuplicateMode.SAME)
"""Not `forgotten`: a server that sends a repeated `random_id` again makes two messages of one, whoever asks."""


class Troubles:
    """Brings trouble over the stage.

    Attributes:
        done: How many faults of each kind have struck.
    """

    def __init__(self, stage: Stage, chance: random.Random) -> None:
        self.done: Counter[str] = Counter()
        self._stage = stage
        self._chance = chance
        self._rest: list[tuple[int, FaultRule, bool]] = []

    async def run(self) -> None:
        """Go on until cancelled."""
        while True:
            await asyncio.sleep(self._chance.expovariate(1 / PAUSE_S))
            if not self._rest:
                await self._clear()  # those that found nothing to strike would pile up
            _, rule, is_personal = self._next()
            account = self._chance.choice(self._stage.accounts) if is_personal else 0
            await self._inject(rule, account)
            if self._chance.random() < 0.05:
                await self._stage.console.set_duplicate_mode(self._chance.choice(MODES))

    def _next(self) -> tuple[int, FaultRule, bool]:
        """Draw from a shuffled deck, so that in any run of some length every kind has its turn."""
        if not self._rest:
            self._rest = [entry for entry in MENU for _ in range(entry[0])]
            self._chance.shuffle(self._rest)
        return self._rest.pop()

    async def _inject(self, rule: FaultRule, account: int) -> None:
        await self._stage.console.inject(replace(rule, account_id=account))
        _log.info("Fault: %s %s for %s", rule.kind, rule.method, account or "any")
        self.done[str(rule.kind)] += 1

    async def end(self) -> None:
        """Take everything back."""
        await self._clear()
        await self._stage.console.set_duplicate_mode(DuplicateMode.ERROR)

    async def _clear(self) -> None:
        """Take all rules back; those that never struck do not count."""
        for fault in (await self._stage.console.rehearsal()).faults:
            if not fault.hits:
                self.done[str(fault.rule.kind)] -= 1
        await self._stage.console.clear_faults()
