"""What is held about a person, as a test sets it beforehand; nothing waits unless the test says so."""

from __future__ import annotations

from typing import TYPE_CHECKING

from chimein_gui.domain.people.holdings import PersonHoldings

if TYPE_CHECKING:
    import asyncio
    from collections.abc import Callable
    from pathlib import Path

    from chimein_gui.domain.ids import PeerId
    from chimein_gui.domain.people.holdings import Held


class FakePeople:
    """Attributes:
    held: What is held about everybody.
    refuse: Raised by the next call that exports or forgets.
    gate: An export waits for it, after its first portion.
    forgotten: Who was forgotten, in their order.
    never: Of whom nothing shall be proposed any more.
    exported: The files that were written.
    stopped: Whether an export was stopped.
    """

    def __init__(self) -> None:
        self.held: tuple[Held, ...] = ()
        self.refuse: Exception | None = None
        self.gate: asyncio.Event | None = None
        self.forgotten: list[PeerId] = []
        self.never: list[PeerId] = []
        self.exported: list[Path] = []
        self.stopped = False

    async def look(self, person: PeerId) -> PersonHoldings:
        return PersonHoldings(person, "Marta Oliveira", () if person in self.forgotten else self.held)

    async def export(self, person: PeerId, target: Path, progress: Callable[[int], object]) -> bool:
        del person
        self._refuse()
        progress(1)
        if self.gate is not None:
            await self.gate.wait()
        if not self.stopped:
            self.exported.append(target)
        return not self.stopped

    def stop_export(self) -> None:
        self.stopped = True
        if self.gate is not None:
            self.gate.set()

    async def forget(self, person: PeerId, *, never: bool = False) -> None:
        self._refuse()
        self.forgotten.append(person)
        self.never += [person] if never else []

    def _refuse(self) -> None:
        if self.refuse is not None:
            raise self.refuse
