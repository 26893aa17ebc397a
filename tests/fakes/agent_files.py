"""Agent files in memory: a test sets their content and reports changes."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator

from chimein_gui.domain.agents import AgentSpec
from chimein_gui.domain.errors import ConfigError
from chimein_gui.domain.notes import Note
from chimein_gui.domain.notes.faults import FaultReason
from chimein_gui.engine.ports import AgentFolder, NewAgent


class FakeAgentFiles:
    """Implements `engine.ports.AgentFiles`.

    Attributes:
        folder: The result of the next `load`.
        phones: Numbers that were written, as (source, number).
        moves: State directories that were moved, as (old name, new name).
        allowed: Links that were allowed.
        refusal: Why nothing can be written; empty if it can.
    """

    def __init__(self, *agents: AgentSpec) -> None:
        self.folder = AgentFolder(agents, ())
        self.phones: list[tuple[str, str]] = []
        self.moves: list[tuple[str, str]] = []
        self.refusal = ""
        self.allowed: list[str] = []
        self._changed = asyncio.Event()

    def put(self, folder: AgentFolder) -> None:
        """Change the content of the files, and report the change."""
        self.folder = folder
        self._changed.set()

    async def load(self) -> AgentFolder:
        return self.folder

    async def changes(self) -> AsyncGenerator[None, None]:
        while True:
            await self._changed.wait()
            self._changed.clear()
            yield

    async def create(self, new: NewAgent) -> str:
        self._check()
        source = f"/config/agents/{new.name}.md"
        spec = AgentSpec(new.name, new.phone, new.instructions, new.role_prompts, (), new.timezone, source=source)
        self.put(AgentFolder((*self.folder.agents, spec), self.folder.problems))
        return source

    async def set_phone(self, source: str, phone: str) -> None:
        self._check()
        self.phones.append((source, phone))

    async def allow_link(self, target: str) -> None:
        self._check()
        self.allowed.append(target)

    async def move_state(self, old_name: str, new_name: str) -> None:
        self._check()
        self.moves.append((old_name, new_name))

    def _check(self) -> None:
        if self.refusal:
            raise ConfigError(Note(FaultReason.SYSTEM, self.refusal))
