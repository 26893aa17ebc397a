"""Searches memories: keeps the index in step with the files, and never shows a chat what it may not see.

The index is derived. What changed is indexed before each search, and all files once after the start.
"""

from __future__ import annotations

import asyncio
import hashlib
import logging
from collections import defaultdict
from dataclasses import replace
from typing import TYPE_CHECKING

from chimein_gui.domain.errors import ChimeinError, MixedModelsError, ModelError, StoreUnreadableError, note_of
from chimein_gui.domain.ids import PeerId
from chimein_gui.domain.memory.choice import query_from
from chimein_gui.domain.memory.edits import indexed_entries
from chimein_gui.domain.memory.entries import MemoryScope
from chimein_gui.domain.memory.files import entries_of
from chimein_gui.domain.memory.recall import LOSERS, TOP, Recall, readable_files
from chimein_gui.domain.notes import Note
from chimein_gui.domain.notes.faults import FaultReason
from chimein_gui.engine.core.event_bus import FaultLine

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Collection, Container, Iterable

    from chimein_gui.domain.agents import Agent
    from chimein_gui.domain.memory.entries import MemoryFile, MemoryKind, MemoryText, MemoryView
    from chimein_gui.domain.memory.recall import Recalled
    from chimein_gui.engine.core.event_bus import EventBus
    from chimein_gui.engine.ports import Clock, MemoryFiles, MemoryIndex, Spawn, Store, Vector

    SenderOf = Callable[[str, PeerId], Awaitable[PeerId | None]]
    QueryVector = Callable[[MemoryScope, str, bool], Awaitable[Vector | None]]

_log = logging.getLogger(__name__)

ALL_CHATS = PeerId(0)
"""Stands for no chat where a search is not of one."""

LOOKED_BACK = 50
"""Newest messages of a group among which its last sender is looked for."""

PATIENCE_S = 4.0
"""Longest search in seconds, with up to two for the vector of the query."""


class MemoryRecall:
    """Finds the memories that fit a text, among those that a chat may see.

    Attributes:
        sender_of: Returns who wrote last in a group of an agent, None if that is not known; without it nobody did.
    """

    def __init__(
        self,
        index: MemoryIndex,
        files: MemoryFiles,
        clock: Clock,
        spawn: Spawn,
        bus: EventBus,
        vector_of: QueryVector | None = None,
        on_indexed: Callable[[], object] = lambda: None,
    ) -> None:
        """Create the service.

        Args:
            index: What is searched.
            files: The truth.
            clock: Time.
            spawn: Runs searches as jobs of their own: what is indexed for one goes on when nobody waits any more.
            bus: Hears of searches that fail.
            vector_of: Returns the vector of a query, or None; the last argument tells whether a call that costs money
                may be made for it. Without it, and after a failure, words alone are used.
            on_indexed: Called after entries were indexed, which may have no vectors yet.
        """
        self._index, self._files, self._clock, self._spawn, self._vector_of = index, files, clock, spawn, vector_of
        self._on_indexed = on_indexed
        self.sender_of: SenderOf | None = None
        self._fault = FaultLine(bus, "memory search", FaultReason.RECALL_IS_LEFT_OUT)
        self._indexed: dict[MemoryFile, bytes] = {}
        self._locks: defaultdict[str, asyncio.Lock] = defaultdict(asyncio.Lock)
        """One for each agent: what one plan read earlier must not be indexed before the search of another."""
        self._indexed_last: tuple[tuple[str, ...], bool] | None = None
        """The agents whose files were indexed last, and whether they are all."""

    async def for_prompt(self, view: MemoryView, query: str) -> Recall | None:
        """Return the entries of a view that fit best; None if they can't be searched, which is reported."""
        try:
            found = await self._search(view.scope, query, view.texts, TOP + LOSERS)
        except Exception as error:  # noqa: BLE001 - a prompt goes on without it after any error
            self._report(error)
            return None
        self._fault.clear()
        return found

    async def recall(self, scope: MemoryScope, query: str) -> Recall:
        """Return the entries that fit best, of the files that a chat may see as they are now.

        Raises:
            StoreError: The index can't be read or written.
            TimeoutError: It took too long.
        """
        return await self._search(scope, query, None, TOP + LOSERS)

    async def find(self, scope: MemoryScope, query: str, limit: int) -> tuple[Recalled, ...]:
        """Return at most `limit` entries that fit, best first; raises as `recall`."""
        found = await self._search(scope, query, None, limit, may_pay=False)  # a plan has paid for its own query
        return (*found.best, *found.losers)[:limit]

    async def recalled_by(self, agent_name: str, peer: PeerId, text: str, person: PeerId | None = None) -> Recall:
        """Return what a prompt would hold if a text was the message to answer.

        Args:
            agent_name: Whose memories.
            peer: The chat.
            text: The message.
            person: Who writes it, in a group; None for who wrote there last.

        Raises:
            StoreError: The index can't be read or written.
            TimeoutError: It took too long.
        """
        who = peer if int(peer) > 0 else person
        if who is None and self.sender_of is not None:
            who = await self.sender_of(agent_name, peer)
        return await self.recall(MemoryScope(agent_name, peer, who), query_from((text,)))

    async def find_anywhere(self, agent_names: Collection[str], text: str, limit: int) -> Recall:
        """Return the entries of all files of some agents that fit best, for the operator alone.

        Args:
            agent_names: The agents; a call for the query's vector is booked under the first.
            text: What is searched for.
            limit: Most entries.

        Raises:
            StoreError: The index can't be read or written.
            TimeoutError: It took too long.
        """
        if not agent_names:
            return Recall(text)
        async with self._clock.timeout(PATIENCE_S):
            files = await self._files.files(agent_names)
            for file in files:
                await self.refresh(file)
            query = query_from((text,))
            vector, problem = await self._vector(
                MemoryScope(next(iter(agent_names)), ALL_CHATS, None), query, may_pay=True
            )
            try:
                found = await self._index.search(query, files, vector=vector, limit=limit)
            except MixedModelsError as error:
                _log.info("Memories are found by words: %s", error)
                found = await self._index.search(query, files, limit=limit)
        return replace(found, problem=problem)

    def changed(self, file: MemoryFile) -> None:
        """Index a file soon, because the program has changed it; a failure is reported."""

        async def index() -> None:
            try:
                await self.refresh(file)
            except Exception as error:  # noqa: BLE001 - each search indexes what it needs
                self._report(error)

        self._spawn(index(), name="index a memory file")

    async def refresh(self, file: MemoryFile) -> None:
        """Index a file as it is now, after a change of it.

        Raises:
            StoreError: The index can't be read or written.
        """
        async with self._locks[file.agent_name]:
            await self._sync_now(file)  # what was read before the lock may be older than what is indexed

    async def begin_anew(self) -> None:
        """Remove all entries from the index, so that `index_all` indexes everything.

        Raises:
            StoreError: The index can't be written.
        """
        await self._index.begin_anew()
        self._indexed.clear()

    async def index_all(self, agent_names: Collection[str], *, are_all: bool) -> None:
        """Index all files of some agents, one after the other; a failure is reported.

        Args:
            agent_names: The agents.
            are_all: There are no other agents, so what else is indexed is removed.
        """
        self._indexed_last = (tuple(agent_names), are_all)
        try:
            try:
                await self._index_all(agent_names, are_all=are_all)
            except StoreUnreadableError as error:
                self._begin_anew(error)
                await self._index_all(agent_names, are_all=are_all)
        except Exception as error:  # noqa: BLE001 - each search indexes what it needs
            self._report(error)

    async def _index_all(self, agent_names: Collection[str], *, are_all: bool) -> None:
        files = await self._files.files(agent_names)
        for file in files:
            await self.refresh(file)
        if are_all or (await self._index.status()).stale:
            await self._index.drop_except(files)
            self._on_indexed()
            self._indexed = {file: known for file, known in self._indexed.items() if file in files}

    def _begin_anew(self, error: StoreUnreadableError) -> None:
        """Note that the index was damaged and is empty: no file is indexed any more."""
        _log.info("The index of memories was damaged, and is made anew from the files", exc_info=error)
        self._indexed.clear()

    def _report(self, error: Exception) -> None:
        _log.info("Memories can't be searched", exc_info=error)
        is_late = isinstance(error, TimeoutError)
        cause = Note(FaultReason.RECALL_LATE, number=round(PATIENCE_S)) if is_late else note_of(error)
        self._fault.show(Note(FaultReason.RECALL_FAILED, cause=cause))

    async def _search(
        self,
        scope: MemoryScope,
        query: str,
        texts: tuple[MemoryText, ...] | None,
        limit: int,
        *,
        may_pay: bool = True,
    ) -> Recall:
        done: asyncio.Future[Recall] = asyncio.get_running_loop().create_future()

        async def search() -> None:
            try:
                vector, problem = await self._vector(scope, query, may_pay=may_pay)
                found = await self._found_in_sound_index(scope, query, texts, limit, vector)
                found = replace(found, problem=problem)
            except asyncio.CancelledError:
                done.cancel()
                raise
            except Exception as error:  # noqa: BLE001 - raised where it is awaited, if it still is
                if not done.done():
                    done.set_exception(error)
            else:
                if not done.done():
                    done.set_result(found)

        self._spawn(search(), name="search memories")
        async with self._clock.timeout(PATIENCE_S):
            return await done

    async def _found_in_sound_index(
        self, scope: MemoryScope, query: str, texts: tuple[MemoryText, ...] | None, limit: int, vector: Vector | None
    ) -> Recall:
        """Search; if the index turns out to be damaged, index what is searched once more, and then all other files."""
        try:
            return await self._found(scope, query, texts, limit, vector)
        except StoreUnreadableError as error:
            self._begin_anew(error)
        found = await self._found(scope, query, texts, limit, vector)
        if self._indexed_last is not None:
            names, are_all = self._indexed_last
            self._spawn(self.index_all(names, are_all=are_all), name="index memories anew")
        return found

    async def _found(
        self, scope: MemoryScope, query: str, texts: tuple[MemoryText, ...] | None, limit: int, vector: Vector | None
    ) -> Recall:
        read = {one.kind: one for one in (await self._files.texts(scope) if texts is None else texts)}
        readable, replaced = [], []
        async with self._locks[scope.agent_name]:
            for file in readable_files(scope):
                text = read.get(file.kind)
                if text is None or text.problem is None:
                    if await self._sync(file, text.text if text is not None else ""):
                        replaced.append(file)
                    readable.append(file)
            try:
                found = await self._index.search(query, readable, vector=vector, limit=limit)
            except MixedModelsError as error:
                _log.info("Memories are found by words: %s", error)
                found = await self._index.search(query, readable, limit=limit)
            for file in replaced if texts is not None else ():
                # What was read for a prompt may be older than the file, and what was deleted must not stay.
                await self._sync_now(file)
        own = {(text.kind, one.line) for text in read.values() for one in entries_of(text.text) if one.in_own_words}
        best, losers = _of(readable, found.best), _of(readable, found.losers)
        return replace(found, best=_with_speakers(best, own), losers=_with_speakers(losers, own))

    async def _vector(self, scope: MemoryScope, query: str, *, may_pay: bool) -> tuple[Vector | None, Note | None]:
        """Return the vector of a query, or why there is none."""
        if self._vector_of is None:
            return None, None
        try:
            return await self._vector_of(scope, query, may_pay), None
        except ChimeinError as error:
            _log.info("Memories are found by words: %s", error)
            return None, error.fault if isinstance(error, ModelError) and error.fault is not None else note_of(error)

    async def _sync_now(self, file: MemoryFile) -> None:
        """Index a file as it is on the disk."""
        text = await self._files.text(file)
        if text.problem is None:
            await self._sync(file, text.text)

    async def _sync(self, file: MemoryFile, content: str) -> bool:
        """Index a file if its content is another than before; returns whether another one was indexed."""
        known = await _digest(content)
        if self._indexed.get(file) == known:
            return False
        before = self._indexed.pop(file, None)
        entries = await asyncio.to_thread(indexed_entries, file, content)
        await self._index.sync(file, entries)
        self._indexed[file] = known
        self._on_indexed()
        return before is not None


class LastSenders:
    """Tells who wrote last in a chat of an agent."""

    def __init__(self, store: Store, agents: Callable[[], Iterable[Agent]]) -> None:
        """`agents` returns the agents in use."""
        self._store, self._agents = store, agents

    async def __call__(self, agent_name: str, peer: PeerId) -> PeerId | None:
        """Return the newest sender apart from the agent; None if nobody wrote under their name."""
        account = next((one.account_id for one in self._agents() if one.spec.name == agent_name), None)
        if account is None:
            return None
        newest = await self._store.read(lambda tx: tx.messages.before(account, peer, before_id=None, limit=LOOKED_BACK))
        for one in reversed(newest):
            if one.sender_id is not None and not (one.out or one.deleted or one.is_service):
                return PeerId(int(one.sender_id))
        return None


def _of(files: Collection[MemoryFile], found: Iterable[Recalled]) -> tuple[Recalled, ...]:
    """Return what is of these files: the index must return nothing else, and a leak would be the worst error."""
    kept = []
    for one in found:
        if one.entry.file in files:
            kept.append(one)
        else:
            _log.warning("The index of memories returned an entry that was not asked for; it is left out")
    return tuple(kept)


def _with_speakers(found: Iterable[Recalled], own: Container[tuple[MemoryKind, int]]) -> tuple[Recalled, ...]:
    """Return what was found, with those marked that stand in `own` by kind of the file and line."""
    marked = []
    for one in found:
        is_own = (one.entry.file.kind, one.entry.line) in own
        marked.append(replace(one, entry=replace(one.entry, in_own_words=True)) if is_own else one)
    return tuple(marked)


_LARGE = 200_000


async def _digest(content: str) -> bytes:
    """Return what tells contents apart; that of a large file is computed in a thread."""
    if len(content) > _LARGE:
        return await asyncio.to_thread(_digest_now, content)
    return _digest_now(content)


def _digest_now(content: str) -> bytes:
    return hashlib.blake2b(content.encode("utf-8", "surrogatepass"), digest_size=16).digest()
