"""Applies the agent files to the database: new, changed and renamed agents, and those whose file is gone.

Functions that take a transaction run on the writer thread.
"""

from __future__ import annotations

import logging
from contextlib import nullcontext
from dataclasses import replace
from functools import partial
from pathlib import PurePath
from typing import TYPE_CHECKING

from chimein_gui.domain.accounts.agent_changes import AgentChanges, Kept, compare
from chimein_gui.domain.agents import CONNECTED, FileProblem, Health
from chimein_gui.domain.errors import ConfigError, note_of
from chimein_gui.domain.events import ChatChanged, EngineEvent
from chimein_gui.domain.input.names import folded
from chimein_gui.domain.notes import Note
from chimein_gui.domain.notes.connections import ConnectionReason

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from chimein_gui.domain.agents import Agent, AgentSpec
    from chimein_gui.domain.ids import AgentId
    from chimein_gui.engine.accounts.accounts import Accounts
    from chimein_gui.engine.core.commits import UnitOfWork
    from chimein_gui.engine.memory.writer import MemoryWriter
    from chimein_gui.engine.ports import AgentFiles, AgentFolder, Transaction

_log = logging.getLogger(__name__)

RUNNING = CONNECTED | frozenset({Health.CONNECTING, Health.WAITING, Health.PROXY_TROUBLE})
"""Health of an account that was started and not stopped."""


class AgentReconciler:
    """Brings database and accounts in step with the files. Calls must not overlap.

    Attributes:
        vanished: Stored agents that had no file at the last look; None before the first look.
    """

    def __init__(
        self,
        unit: UnitOfWork,
        accounts: Accounts,
        memory_writer: MemoryWriter | None,
        on_other_names: Callable[[], None],
    ) -> None:
        """Create the service.

        Args:
            unit: The database.
            accounts: The agents' accounts.
            memory_writer: Writes into the directory that a rename moves.
            on_other_names: Called when the names that address an agent in groups have changed.
        """
        self._unit = unit
        self._accounts = accounts
        self._memory_writer = memory_writer
        self._on_other_names = on_other_names
        self._start_again: set[AgentId] = set()
        self.vanished: tuple[Agent, ...] | None = None

    async def take(self, folder: AgentFolder, files: AgentFiles | None) -> tuple[FileProblem, ...]:
        """Apply all differences; a second call changes nothing.

        Args:
            folder: The contents of the files.
            files: Moves the state of renamed agents; None where there are no files.

        Returns:
            The changes that could not be applied although their files are valid.

        Raises:
            StoreError: The rest is not applied; the next call continues.
        """
        stored = await self._unit.read(lambda tx: tx.agents.all())
        sources = {agent.spec.source for agent in stored}
        broken = {source: problem for source in sources if (problem := _problem_of(source, folder.problems))}
        # A move of files while the program was off was not seen: then the path does not identify an agent.
        earlier = stored if self.vanished is None else self.vanished
        changes = compare(stored, folder.agents, frozenset(broken), frozenset(agent.agent_id for agent in earlier))
        self.vanished = tuple(agent for agent in changes.gone if agent.spec.source not in broken)
        some_run = any(agent.health in RUNNING for agent in self._accounts.directory.agents())
        for agent in changes.gone:
            await self._release(agent, broken.get(agent.spec.source))
        refused = [
            *((one, ConnectionReason.NAMES_EXCHANGED) for one in changes.swapped),
            *((one, ConnectionReason.IDENTITY_UNCLEAR) for one in changes.mixed),
        ]
        stuck = [await self._refuse(one, Note(why, one.before.spec.name, more=one.spec.name)) for one, why in refused]
        changes, refusals = await self._without_stand_ins(changes, broken)
        stuck += refusals
        names = {folded(agent.spec.name): agent.agent_id for agent in stored}
        for one in changes.kept:
            if one.is_renamed:
                try:
                    await self._rename(one, files, names)
                except ConfigError as error:
                    stuck.append(await self._refuse(one, note_of(error)))
        stuck += [FileProblem(spec.source, 0, _not_free(spec)) for spec in changes.added if folded(spec.name) in names]
        changes = replace(changes, added=tuple(spec for spec in changes.added if folded(spec.name) not in names))
        work = partial(_stored, changes=changes)
        agents = await self._unit.run(work, committed=self._take_all)
        await self._show(agents, changes, new_ones_start=some_run)
        return tuple(stuck)

    def _take_all(self, agents: list[Agent]) -> None:
        for agent in agents:
            self._accounts.take(agent)

    async def _show(self, agents: list[Agent], changes: AgentChanges, *, new_ones_start: bool) -> None:
        for agent in agents:
            self._accounts.directory.absent.discard(agent.agent_id)
            if agent.spec.is_disabled:
                await self._disable(agent.agent_id)
                continue
            is_new = agent.agent_id not in {one.before.agent_id for one in changes.kept}
            if agent.agent_id in self._start_again or (is_new and new_ones_start):
                self._start_again.discard(agent.agent_id)
                self._accounts.start(agent.agent_id)
        if any(one.before.spec.aliases != one.spec.aliases for one in changes.kept):
            self._on_other_names()

    async def _disable(self, agent_id: AgentId) -> None:
        """Disconnect an agent that its file disables; it starts again once the file enables it."""
        now = self._known(agent_id)
        if now is not None and now.health in RUNNING:
            self._start_again.add(agent_id)
            await self._accounts.stop(agent_id)

    async def _release(self, agent: Agent, problem: FileProblem | None) -> None:
        """Hold back an agent whose file is gone, or was broken before it was ever read."""
        is_known = self._known(agent.agent_id) is not None
        if problem is not None:
            kind = ConnectionReason.FILE_BROKEN_AT if problem.line else ConnectionReason.FILE_BROKEN
            await self._hold_back(agent, Note(kind, number=problem.line, cause=problem.note))
        elif is_known:
            why = (
                ConnectionReason.FILE_MISSING
                if agent.agent_id in self._accounts.directory.absent
                else ConnectionReason.FILE_GONE
            )
            await self._hold_back(agent, Note(why, agent.spec.source))
            now = self._known(agent.agent_id)
            if now is not None and now.account_id is None:
                self._start_again.discard(agent.agent_id)
                await self._accounts.remove(agent.agent_id)
        elif agent.account_id is not None:
            self._accounts.directory.absent.add(agent.agent_id)
            await self._hold_back(agent, Note(ConnectionReason.FILE_MISSING, agent.spec.source))

    async def _without_stand_ins(
        self, changes: AgentChanges, broken: Mapping[str, FileProblem]
    ) -> tuple[AgentChanges, list[FileProblem]]:
        """Refuse other files of agents whose own file was broken before it was ever read."""
        kept, refusals = [], []
        for one in changes.kept:
            own, problem = one.before.spec.source, broken.get(one.before.spec.source)
            if problem is None or problem.stands_back or one.spec.source == own:
                kept.append(one)
            else:
                why = Note(ConnectionReason.FILE_STANDS_IN, own, more=one.spec.source)
                refusals.append(await self._refuse(one, why))
        return replace(changes, kept=tuple(kept)), refusals

    async def _refuse(self, one: Kept, reason: Note) -> FileProblem:
        _log.info("The file %s is not taken: %s", one.spec.source, reason)
        await self._hold_back(one.before, reason)
        return FileProblem(one.spec.source, 0, reason)

    async def _hold_back(self, agent: Agent, why: Note) -> None:
        now = self._known(agent.agent_id)
        if now is None:
            self._accounts.take(agent)
        if now is None or now.health in RUNNING:
            # An agent that is new to the program would have been started with all others.
            self._start_again.add(agent.agent_id)
        await self._accounts.hold_back(agent.agent_id, why)

    async def _rename(self, one: Kept, files: AgentFiles | None, names: dict[str, AgentId]) -> None:
        """Stop the account, move its directory, then write its name. It can be repeated after an interruption.

        Until then the account can't be started, because it would look for its session in the old place.
        """
        agent_id, now = one.before.agent_id, self._known(one.before.agent_id)
        old, new = folded(one.before.spec.name), folded(one.spec.name)
        if names.get(new, agent_id) != agent_id:
            raise ConfigError(_not_free(one.spec))
        if now is not None:
            if now.health in RUNNING:
                self._start_again.add(agent_id)
            await self._accounts.hold_back(agent_id, Note(ConnectionReason.BEING_RENAMED))
        async with self._memory_writer.paused() if self._memory_writer is not None else nullcontext():
            if files is not None:
                await files.move_state(one.before.spec.name, one.spec.name)
            work = partial(_renamed, one=one)
            await self._unit.run(work, committed=self._accounts.take)
        del names[old]
        names[new] = agent_id

    def _known(self, agent_id: AgentId) -> Agent | None:
        return next((agent for agent in self._accounts.directory.agents() if agent.agent_id == agent_id), None)


def _problem_of(source: str, problems: Sequence[FileProblem]) -> FileProblem | None:
    """Return the problem of a file or of a directory above it; None if there is none."""
    places = {source, *map(str, PurePath(source).parents)} if source else set()
    return next((one for one in problems if one.path in places and not one.is_warning), None)


def _not_free(spec: AgentSpec) -> Note:
    return Note(ConnectionReason.NAME_TAKEN, spec.name)


def _stored(tx: Transaction, *, changes: AgentChanges) -> tuple[list[EngineEvent], list[Agent]]:
    """Store the files' contents, except names that other agents still have; returns the usable agents."""
    rows = {agent.agent_id: agent for agent in tx.agents.all()}
    agents: list[Agent] = []
    events: list[EngineEvent] = []
    for one in changes.kept:
        row = rows[one.before.agent_id]
        if row.spec.name == one.spec.name:  # otherwise its rename was refused
            renamed, agent = _renamed(tx, one=Kept(row, one.spec))
            agents.append(agent)
            events += renamed
    agents += [tx.agents.upsert(spec) for spec in changes.added]
    return events, agents


def _renamed(tx: Transaction, *, one: Kept) -> tuple[list[EngineEvent], Agent]:
    """Store an agent under the name in its file. Its chats are updated if its trust has changed."""
    before = one.before
    if before.spec == one.spec:
        return [], before
    agent = tx.agents.rename(before.agent_id, one.spec)
    trusts_as_before = (before.spec.trust, before.trust_confirmed) == (agent.spec.trust, agent.trust_confirmed)
    if agent.account_id is None or (trusts_as_before and before.spec.name == agent.spec.name):
        return [], agent
    chats = [tx.chats.get(chat_id) for chat_id in tx.chats.of_account(agent.account_id)]
    return [ChatChanged(chat, tx.revision) for chat in chats if chat.agent_id == agent.agent_id], agent
