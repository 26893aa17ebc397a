"""Watches the agent files: changes on disk take effect while the program runs."""

from __future__ import annotations

import asyncio
from contextlib import aclosing
from datetime import timedelta
from functools import partial
from typing import TYPE_CHECKING

from chimein_gui.domain.errors import ConfigError, StoreError, note_of
from chimein_gui.domain.events import FileProblemsChanged
from chimein_gui.domain.ids import Revision
from chimein_gui.domain.loaded import Loaded
from chimein_gui.domain.notes import Note
from chimein_gui.domain.notes.configs import ConfigReason
from chimein_gui.domain.notes.faults import FaultReason
from chimein_gui.domain.notes.reasons import Reason
from chimein_gui.engine.agents.new_agent import FieldProblem, problems_of, tidied
from chimein_gui.engine.core.event_bus import FaultLine
from chimein_gui.engine.core.jobs import JobKeeper
from chimein_gui.engine.ports import AgentFolder

if TYPE_CHECKING:
    from chimein_gui.domain.agents import FileProblem
    from chimein_gui.domain.ids import AgentId
    from chimein_gui.engine.accounts.accounts import Accounts
    from chimein_gui.engine.agents.reconcile import AgentReconciler
    from chimein_gui.engine.core.event_bus import EventBus
    from chimein_gui.engine.ports import AgentFiles, NewAgent
    from chimein_gui.engine.settings.setup import Setup

RETRY_S = 2.0
"""Pause before changes that could not be stored are retried."""


class AgentFileWatcher:
    """Knows the agent files, applies their changes, and writes new ones."""

    def __init__(self, setup: Setup, bus: EventBus, accounts: Accounts, reconciler: AgentReconciler) -> None:
        """`setup` has the agent files, or the agents if there are no files."""
        self._setup = setup
        self._bus = bus
        self._accounts = accounts
        self._reconciler = reconciler
        self._folder = AgentFolder(setup.agents, (), setup.model_prompt)
        accounts.directory.take_model_prompt(setup.model_prompt)
        self._problems: Loaded[FileProblem] = Loaded((), Revision(0))
        self._one_at_a_time = asyncio.Lock()
        self._job: asyncio.Task[None] | None = None
        self._fault = FaultLine(bus, "agent files", FaultReason.AGENTS_GO_ON)
        self._keeper = JobKeeper(bus, setup.clock, setup.jobs.spawn)

    @property
    def role_prompts(self) -> tuple[str, ...]:
        """Names of the existing shared role prompts, sorted."""
        return self._folder.role_prompts

    async def load_problems(self) -> Loaded[FileProblem]:
        """Return the config files that could not be used."""
        return self._problems

    async def reload(self) -> None:
        """Read the files again and apply changes; at the start everything is a change.

        Raises:
            StoreError: Not everything is applied; the next call continues.
        """
        async with self._one_at_a_time:
            files = self._setup.agent_files
            if files is not None:
                self._folder = await files.load()
                self._accounts.directory.take_model_prompt(self._folder.model_prompt, self._folder.model_prompt_source)
            for spec in self._folder.agents:
                self._setup.secrets.hide(spec.phone.lstrip("+"))  # no log may hold it, however it is written
            stuck = await self._reconciler.take(self._folder, files)
            self._tell_problems((*self._folder.problems, *stuck, *self._setup.file_problems))

    def follow(self) -> None:
        """Apply all changes from now on, including those since the last read."""
        files = self._setup.agent_files
        if files is not None and self._job is None:
            keeping = self._keeper.keep(
                partial(self._follow, files),
                key="agent files watch",
                what=Note(FaultReason.AGENT_WATCH_STOPPED),
                meanwhile=FaultReason.FILES_LATER,
                before_again=self._reload_until_stored,
            )
            self._job = self._setup.jobs.spawn(keeping, name="agent files")

    async def aclose(self) -> None:
        """Stop watching."""
        if self._job is not None:
            self._job.cancel()
            await asyncio.gather(self._job, return_exceptions=True)

    def problems_of(self, new: NewAgent) -> tuple[FieldProblem, ...]:
        """Return the problems of a new persona, by field; fast enough to be called on every key press."""
        phone = tidied(new).phone
        # With the name of an agent whose file is gone, the new one would get its account;
        # the same number means the same agent.
        vanished = {one.agent_id: one for one in self._reconciler.vanished or ()}
        gone = (one.spec for one in vanished.values() if one.account_id and one.spec.phone != phone)
        there = (agent.spec for agent in self._accounts.directory.agents() if agent.agent_id not in vanished)
        specs = (*self._folder.agents, *there, *gone)
        return problems_of(new, specs, self._folder.role_prompts if self._setup.agent_files is not None else None)

    async def create(self, new: NewAgent) -> AgentId:
        """Write a new agent file and take its agent in. It is started if others run.

        Raises:
            ConfigError: A field is invalid or taken, or the file can't be written; the words say which.
            StoreError: The file is written; its agent is taken in as soon as the database works again.
        """
        files, wrong = self._setup.agent_files, self.problems_of(new)
        if wrong:
            raise ConfigError(wrong[0].note)
        if files is None:
            raise ConfigError(Note(ConfigReason.NO_CONFIG_DIRECTORY))
        path = await files.create(tidied(new))
        await self.reload()
        found = next((agent for agent in self._accounts.directory.agents() if agent.spec.source == path), None)
        if found is None:
            problem = next((problem for problem in self._problems.rows if problem.path == path), None)
            raise ConfigError(Note(Reason.AGENT_UNUSABLE, path, cause=problem.note if problem is not None else None))
        return found.agent_id

    async def allow_link(self, target: str) -> None:
        """Let prompts be links to a file outside the config directories, and apply the changes.

        Raises:
            ConfigError: The permission could not be stored.
            StoreError: It is stored, and applied as soon as the database works again.
        """
        if self._setup.agent_files is not None:
            await self._setup.agent_files.allow_link(target)
            await self.reload()

    async def _follow(self, files: AgentFiles) -> None:
        async with aclosing(files.changes()) as changes:
            async for _ in changes:
                await self._reload_until_stored()

    async def _reload_until_stored(self) -> None:
        clock = self._setup.clock
        while True:
            try:
                await self.reload()
            except StoreError as error:
                self._fault.show(Note(FaultReason.AGENT_FILES_UNTAKEN, cause=note_of(error)))
                await clock.sleep_until(clock.now() + timedelta(seconds=RETRY_S))
            else:
                self._fault.clear()
                return

    def _tell_problems(self, problems: tuple[FileProblem, ...]) -> None:
        if problems != self._problems.rows or not self._problems.revision:
            self._problems = Loaded(problems, Revision(self._problems.revision + 1))
            self._bus.publish(FileProblemsChanged(problems, self._problems.revision))
