"""The one door through which memories are read: the scope says whose chat it is, and what that chat may see."""

from __future__ import annotations

import logging
from dataclasses import replace
from typing import TYPE_CHECKING

from chimein_gui.domain.chats import ChatKind
from chimein_gui.domain.ids import PeerId
from chimein_gui.domain.memory.entries import MemoryScope, MemoryView
from chimein_gui.domain.notes import Note
from chimein_gui.domain.notes.faults import FaultReason
from chimein_gui.engine.core.event_bus import FaultLine

if TYPE_CHECKING:
    from collections.abc import Callable

    from chimein_gui.engine.core.event_bus import EventBus
    from chimein_gui.engine.llm.calls import PlanTrace
    from chimein_gui.engine.ports import MemoryFiles
    from chimein_gui.engine.prompt.builder import PromptInputs
    from chimein_gui.engine.prompt.inputs import PlanInputs

_log = logging.getLogger(__name__)

PATIENCE_S = 2.0
"""Longest wait for the files of one plan."""


def scope_of(inputs: PromptInputs) -> MemoryScope:
    """Return what the chat of a prompt may see."""
    info = inputs.chat.info
    person: PeerId | None = info.peer_id
    if info.kind is not ChatKind.DM:
        sender = inputs.target.sender_id if inputs.target is not None else None
        person = PeerId(int(sender)) if sender is not None else None
    return MemoryScope(inputs.agent.name, info.peer_id, person)


class MemoryReader:
    """Reads memory files anew for each prompt. A file that can't be read is told, and the prompt goes on without it."""

    def __init__(self, files: MemoryFiles | None, bus: EventBus) -> None:
        """Without files there are no memories."""
        self._files = files
        self._fault = FaultLine(bus, "memory files", FaultReason.MEMORY_IS_LEFT_OUT)

    @property
    def has_files(self) -> bool:
        """Whether there can be memories."""
        return self._files is not None

    async def read(self, scope: MemoryScope) -> MemoryView:
        """Return what a chat sees now."""
        if self._files is None:
            return MemoryView(scope)
        view = MemoryView(scope, await self._files.texts(scope))
        broken = next((one for one in view.texts if one.problem is not None), None)
        if broken is not None:
            _log.info("The memory file %s can't be read", broken.path)
            self._fault.show(Note(FaultReason.MEMORY_UNREADABLE, broken.path, cause=broken.problem))
        else:
            self._fault.clear()
        return view

    async def into(self, inputs: PromptInputs) -> PromptInputs:
        """Return the inputs of a prompt with the memories of its chat."""
        return replace(inputs, memories=await self.read(scope_of(inputs)))


class MemoryEnricher:
    """Puts memories into the inputs of plans."""

    name = "memory"
    bound_s = PATIENCE_S

    def __init__(self, reader: MemoryReader) -> None:
        self._reader = reader

    @property
    def applies(self) -> Callable[[PlanInputs], bool]:
        """Every plan may have memories."""
        return lambda _inputs: self._reader.has_files

    async def enrich(self, inputs: PlanInputs, _trace: PlanTrace) -> PlanInputs:
        """Return the inputs with the memories as the files are now."""
        return replace(inputs, inputs=await self._reader.into(inputs.inputs))
