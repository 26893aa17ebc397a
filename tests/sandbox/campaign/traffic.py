"""What partners do: they write, edit, delete, read and type, in DMs and in the group."""

from __future__ import annotations

import asyncio
import random
from collections import Counter, deque
from collections.abc import Awaitable, Callable

from tests.sandbox.campaign.stage import Stage

PAUSE_S = 0.25
"""Mean pause between two things that partners do."""

_REMEMBERED = 40
"""How many own messages a partner may still change."""

_BEGINNINGS = (
    "Are you coming to",
    "Who has seen",
    "Tell me about",
    "I have bought",
    "What became of",
    "¿Vienes a",
    "Kommst du zu",
)
_THINGS = (
    "the ferry",
    "the plum cake",
    "the boat house",
    "my bicycle",
    "the concert 🎺",
    "la isla",
    "the geese",
    "das Rad",
)


class Partners:
    """All partners, at random."""

    def __init__(self, stage: Stage, chance: random.Random) -> None:
        self.done: Counter[str] = Counter()
        self._stage = stage
        self._chance = chance
        self._said: deque[tuple[int, int]] = deque(maxlen=_REMEMBERED)
        self._number = 0
        self._actions: tuple[tuple[int, str, Callable[[], Awaitable[None]]], ...] = (
            (50, "messages", self._speak),
            (18, "group messages", self._speak_in_the_group),
            (8, "edits", self._edit),
            (4, "deletes", self._delete),
            (10, "reads", self._read),
            (10, "typing", self._type),
        )

    async def run(self) -> None:
        """Go on until cancelled."""
        weights = [weight for weight, _, _ in self._actions]
        while True:
            await asyncio.sleep(self._chance.expovariate(1 / PAUSE_S))
            (_, name, action) = self._chance.choices(self._actions, weights)[0]
            await action()
            self.done[name] += 1

    async def say_goodbye(self) -> None:
        """Write once more to everybody, so that whoever has missed an update notices the gap."""
        for partner in self._stage.partners[:1]:
            for account in self._stage.accounts:
                await self._stage.console.speak(partner, account, self._words())

    def _words(self) -> str:
        self._number += 1
        return f"{self._chance.choice(_BEGINNINGS)} {self._chance.choice(_THINGS)}? ({self._number})"

    def _pair(self) -> tuple[int, int]:
        return self._chance.choice(self._stage.partners), self._chance.choice(self._stage.accounts)

    async def _speak(self) -> None:
        partner, account = self._pair()
        message_id = await self._stage.console.speak(partner, account, self._words())
        self._said.append((partner, message_id))

    async def _speak_in_the_group(self) -> None:
        partner = self._chance.choice(self._stage.partners)
        message_id = await self._stage.console.speak(partner, self._stage.group, self._words())
        self._said.append((partner, message_id))

    async def _edit(self) -> None:
        if self._said:
            partner, message_id = self._chance.choice(self._said)
            text = f"{self._words()} (corrected)"
            await self._stage.console.partner_edit(partner_id=partner, message_id=message_id, text=text)

    async def _delete(self) -> None:
        if self._said:
            partner, message_id = self._said[self._chance.randrange(len(self._said))]
            self._said.remove((partner, message_id))
            await self._stage.console.partner_delete(partner_id=partner, message_ids=[message_id])

    async def _read(self) -> None:
        partner, account = self._pair()
        await self._stage.console.partner_read(partner_id=partner, peer_id=account)

    async def _type(self) -> None:
        partner, account = self._pair()
        await self._stage.console.partner_type(partner_id=partner, peer_id=account)
