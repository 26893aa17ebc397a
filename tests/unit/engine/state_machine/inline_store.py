"""The real database, run on the loop itself: one step after the other, the same each time, and every change is seen."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import TypeVar

from chimein_gui.adapters.files.outgoing import OutgoingCopies
from chimein_gui.adapters.store.jobs import Job
from chimein_gui.adapters.store.opening import open_for_writing
from chimein_gui.adapters.store.sql import Sql
from chimein_gui.adapters.store.transaction import SqliteTransaction
from chimein_gui.adapters.store.writer import Writer
from chimein_gui.domain.ids import Revision
from chimein_gui.domain.plans.outgoing_files import FileToSend, OutgoingFile
from chimein_gui.engine.ports import Durability, Transaction

T = TypeVar("T")

_WATCH = """
CREATE TEMP TABLE moves (what TEXT, id INTEGER, owner INTEGER, chat INTEGER, kind TEXT, old TEXT, new TEXT,
    text TEXT, part INTEGER, random_id INTEGER, position INTEGER, before INTEGER, graph INTEGER);
CREATE TEMP TRIGGER task_made AFTER INSERT ON main.tasks BEGIN
    INSERT INTO moves VALUES ('task', new.task_id, 0, new.chat_id, new.kind, '', new.status, @REASON, 0, 0,
        new.position, 0, new.graph_id); END;
CREATE TEMP TRIGGER task_moved AFTER UPDATE OF status ON main.tasks WHEN old.status <> new.status BEGIN
    INSERT INTO moves VALUES ('task', new.task_id, 0, new.chat_id, new.kind, old.status, new.status, @REASON, 0, 0,
        new.position, 0, new.graph_id); END;
CREATE TEMP TRIGGER step_bound AFTER INSERT ON main.step_dependencies BEGIN
    INSERT INTO moves VALUES ('dependency', new.task_id, 0, 0, '', '', 'bound', '', 0, 0, 0, new.earlier_id, 0); END;
CREATE TEMP TRIGGER step_unbound AFTER DELETE ON main.step_dependencies BEGIN
    INSERT INTO moves VALUES ('dependency', old.task_id, 0, 0, '', '', 'unbound', '', 0, 0, 0, old.earlier_id, 0); END;
CREATE TEMP TRIGGER approval_made AFTER INSERT ON main.approvals BEGIN
    INSERT INTO moves VALUES ('approval', new.approval_id, new.task_id, 0, new.decided_by, '', new.state,
        new.text, 0, 0, 0, 0, 0); END;
CREATE TEMP TRIGGER approval_moved AFTER UPDATE OF state ON main.approvals WHEN old.state <> new.state BEGIN
    INSERT INTO moves VALUES ('approval', new.approval_id, new.task_id, 0, new.decided_by, old.state, new.state,
        new.reasons, 0, 0, 0, 0, 0); END;
CREATE TEMP TRIGGER row_made AFTER INSERT ON main.ledger BEGIN
    INSERT INTO moves VALUES ('ledger', new.ledger_id, new.approval_id, new.chat_id, new.kind, '', new.state,
        new.text, new.part, new.random_id, 0, 0, 0); END;
CREATE TEMP TRIGGER row_moved AFTER UPDATE OF state ON main.ledger WHEN old.state <> new.state BEGIN
    INSERT INTO moves VALUES ('ledger', new.ledger_id, new.approval_id, new.chat_id, new.kind, old.state, new.state,
        new.text, new.part, new.random_id, 0, 0, 0); END;
""".replace("@REASON", "iif(new.reason = '', '', json_extract(new.reason, '$[0]'))")  # the kind of the note, by name


@dataclass(frozen=True, slots=True)
class Move:
    """One change of a state, as SQLite saw it; `old` is empty for a new row."""

    what: str
    id: int
    owner: int
    chat: int
    kind: str
    old: str
    new: str
    text: str
    part: int
    random_id: int
    position: int
    before: int
    graph: int | None


class InlineStore:
    """Implements `engine.ports.Store`.

    Attributes:
        is_dead: The program was killed: nothing is stored or read any more, and nobody hears of that.
    """

    def __init__(self, path: Path, now: Callable[[], datetime], watch: Callable[[list[Move]], None]) -> None:
        self._connection = open_for_writing(path)
        self._connection.execute("PRAGMA synchronous = OFF")
        self._connection.executescript(_WATCH)
        sql = Sql(self._connection)
        self._writer = Writer(sql, now)
        self._snapshot = SqliteTransaction(sql, now)
        self._watch = watch
        self._racing: list[tuple[int, Callable[[], Awaitable[None]]]] = []
        self.is_dead = False

    def race(self, transactions: int, action: Callable[[], Awaitable[None]]) -> None:
        """Let something happen just before one of the next transactions (0 = the very next)."""
        self._racing = [(transactions, action)]

    def no_race(self) -> None:
        """Forget what was to happen."""
        self._racing = []

    async def transact(self, work: Callable[[Transaction], T], *, durability: Durability = Durability.NORMAL) -> T:
        """Run `work` and commit it."""
        del durability
        await asyncio.sleep(0)
        if self._racing:
            (left, action), self._racing = self._racing[0], []
            if left:
                self._racing = [(left - 1, action)]
            else:
                await action()
        await self._stop_if_dead()
        return self._run(work)

    def submit(self, work: Callable[[Transaction], object], *, durability: Durability = Durability.NORMAL) -> None:
        """Run `work` without anybody waiting."""
        del durability
        if not self.is_dead:
            self._run(work)

    async def read(self, work: Callable[[Transaction], T]) -> T:
        """Look."""
        await asyncio.sleep(0)
        await self._stop_if_dead()
        return self.peek(work)

    def peek(self, work: Callable[[Transaction], T]) -> T:
        """Look at once."""
        revision = self._connection.execute("SELECT revision FROM meta").fetchone()[0]
        self._snapshot.revision = Revision(revision)
        return work(self._snapshot)

    async def compact(self) -> None:
        """Write the file anew."""
        self._connection.execute("VACUUM")

    async def aclose(self) -> None:
        """Close the file; calling it twice is harmless."""
        self.is_dead = True
        self._connection.close()

    async def _stop_if_dead(self) -> None:
        if self.is_dead:
            await asyncio.Event().wait()

    def _run(self, work: Callable[[Transaction], T]) -> T:
        job = Job(work)
        self._writer.run([job])
        moves = self._connection.execute("SELECT * FROM moves").fetchall()
        if moves:
            self._connection.execute("DELETE FROM moves")
            self._watch([Move(*move) for move in moves])
        if job.error is not None:
            raise job.error
        return job.value  # type: ignore[return-value]


class InlineCopies(OutgoingCopies):
    """The real copies of files, made on the loop itself."""

    async def take(self, given: FileToSend) -> OutgoingFile:
        await asyncio.sleep(0)
        return self._take(given)

    async def find(self, name: str) -> Path | None:
        await asyncio.sleep(0)
        return self._found(name)

    async def drop(self, name: str) -> None:
        self._path(name).unlink(missing_ok=True)

    async def sweep(self, kept: frozenset[str]) -> None:
        self._sweep(kept)

    def _found(self, name: str) -> Path | None:
        path = self._path(name)
        return path if path.is_file() else None
