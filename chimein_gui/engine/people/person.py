"""Everything about a person: what is held, and the archive of it.

Functions that take a transaction run on the reader thread.
"""

from __future__ import annotations

import asyncio
import json
from dataclasses import asdict
from typing import TYPE_CHECKING

from chimein_gui.domain.errors import RefusedError, note_of
from chimein_gui.domain.notes import Note
from chimein_gui.domain.notes.faults import FaultReason
from chimein_gui.domain.people.holdings import HoldingKind, PersonHoldings
from chimein_gui.engine.people.finding import find_person

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Sequence
    from pathlib import Path

    from chimein_gui.domain.ids import PeerId
    from chimein_gui.domain.people.holdings import Held
    from chimein_gui.engine.people.forgetting import Forgetting
    from chimein_gui.engine.people.holdings import Holding
    from chimein_gui.engine.ports import PersonFiles, Store

_ORDER = list(HoldingKind)


class _StoppedError(Exception):
    """The operator does not want the archive any more."""


class People:
    """Shows, gives out and forgets what is held about a person."""

    def __init__(
        self,
        store: Store,
        files: PersonFiles | None,
        holdings: Sequence[Holding],
        forgetting: Forgetting,
        flush: Callable[[], Awaitable[None]],
    ) -> None:
        """Create the service.

        Args:
            store: The database.
            files: Memories, media and logs; without it only the database is looked at.
            holdings: The kinds of data.
            forgetting: Carries out orders to forget.
            flush: Stores the prompts that wait to be stored.
        """
        self._store, self._files, self._holdings, self._forgetting = store, files, holdings, forgetting
        self._flush = flush
        self._stopped = asyncio.Event()

    async def look(self, person: PeerId) -> PersonHoldings:
        """Return all that is held about a person, kind by kind.

        Raises:
            StoreError: The database can't be read.
        """
        await self._flush()
        found = await find_person(self._store, person)
        held = [one for holding in self._holdings for one in await holding.count(found, _go_on)]
        orders = await self._store.read(lambda tx: tx.people.requests())
        return PersonHoldings(
            person,
            next(iter(found.names), ""),
            tuple(sorted(held, key=_place)),
            any(order.person == person for order in orders),
        )

    async def export(self, person: PeerId, target: Path, progress: Callable[[int], object]) -> bool:
        """Write all that is held about a person to a zip file.

        Args:
            person: The number at Telegram.
            target: The file; an existing one is replaced.
            progress: Called after each portion with how many there were.

        Returns:
            False if it was stopped; then there is no file.

        Raises:
            RefusedError: The file can't be written; says why.
            StoreError: The database can't be read.
        """
        if self._files is None:
            raise RefusedError(Note(FaultReason.NO_PERSON_FILES))
        self._stopped, portions_done = asyncio.Event(), 0
        stopped = self._stopped

        async def report() -> None:
            nonlocal portions_done
            portions_done += 1
            progress(portions_done)
            if stopped.is_set():
                raise _StoppedError

        await self._flush()
        found = await find_person(self._store, person)
        archive = self._files.archive(target)
        try:
            written = await asyncio.to_thread(archive.__enter__)
            try:
                for holding in self._holdings:
                    await holding.export(found, written, report)
                contents = json.dumps(_contents(await self.look(person)), ensure_ascii=False, indent=1)
                await asyncio.to_thread(written.write, "contents.json", contents)
            except BaseException as error:
                # In a thread, and to its end, also while the program closes.
                leave = asyncio.to_thread(archive.__exit__, type(error), error, None)
                await asyncio.shield(asyncio.gather(leave, return_exceptions=True))
                raise
            await asyncio.to_thread(archive.__exit__, None, None, None)
        except _StoppedError:
            return False
        except OSError as error:
            raise RefusedError(note_of(error)) from error
        return True

    def stop_export(self) -> None:
        """Stop an export; what was written of it is removed."""
        self._stopped.set()

    async def forget(self, person: PeerId, *, never: bool = False) -> None:
        """Forget a person; see `Forgetting.forget`."""
        await self._forgetting.forget(person, never=never)


async def _go_on() -> None:
    """Report nothing."""


def _place(held: Held) -> tuple[int, str, str]:
    return _ORDER.index(held.kind), held.agent_name, held.place


def _contents(holdings: PersonHoldings) -> dict[str, object]:
    """Return what there is, as data for the archive."""
    rows = []
    for held in holdings.held:
        tally = {name: value for name, value in asdict(held.tally).items() if value}
        times = {name: value.isoformat() for name, value in tally.items() if name in ("first", "last")}
        rows.append({"kind": held.kind.value, "agent": held.agent_name, "place": held.place, **tally, **times})
    return {"person": int(holdings.person), "name": holdings.name, "held": rows}
