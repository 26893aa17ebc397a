"""Conversations, a scripted model, real memory files, and the review queue over a real store."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from chimein_gui.adapters.files.memory import MarkdownMemoryFiles
from chimein_gui.domain.events import EngineEvent, MessageStored, is_change
from chimein_gui.domain.ids import AccountId
from chimein_gui.domain.memory.edits import FileEntry, file_entries
from chimein_gui.domain.memory.entries import MemoryFile, MemoryKind
from chimein_gui.domain.memory.proposals import Proposal, ProposalDetails
from chimein_gui.domain.messages import Message
from chimein_gui.domain.settings.preferences import Preferences
from chimein_gui.engine.core.environment import LivePreferences
from chimein_gui.engine.memory.duplicates import by_words_alone
from chimein_gui.engine.memory.editor import MemoryEditor
from chimein_gui.engine.memory.extraction import ExtractionServices, MemoryExtraction
from chimein_gui.engine.memory.review import MemoryReview
from chimein_gui.engine.memory.review_list import ReviewList
from chimein_gui.engine.memory.tombstones import Tombstones
from tests.support.decision_room import PARTNER
from tests.support.planning_room import PlanningRoom, planning_room

if TYPE_CHECKING:
    from chimein_gui.engine.memory.duplicates import Alike

OTHER_AGENT = AccountId(4242)
TASK = "Note what {name} should remember."
ABOUT_MARTA = MemoryFile(MemoryKind.ABOUT_PARTNER, "Nora", PARTNER)
FOR_ALL = MemoryFile(MemoryKind.REMEMBERED, "Nora")


@dataclass
class MemoryRoom:
    """The objects of a test of extraction and review."""

    room: PlanningRoom
    files: MarkdownMemoryFiles
    editor: MemoryEditor
    review: MemoryReview
    queue: ReviewList
    extraction: MemoryExtraction
    preferences: LivePreferences
    state: Path
    events: list[EngineEvent] = field(default_factory=list)

    def prefer(self, **changes: Any) -> None:
        """Change preferences."""
        self.preferences.change(replace(self.preferences.now, **changes))

    async def said(self, text: str, **changes: Any) -> Message:
        """Store a message of the partner, or of somebody else, and let the extraction hear of it."""
        message = await self.room.write(text, **changes)
        chat_id = changes.get("chat_id") or self.room.room.chat_id
        self.extraction.message_stored(MessageStored(chat_id, message, await self.room.room.do(lambda tx: tx.revision)))
        return message

    def answers(self, *memories: dict[str, Any]) -> None:
        """Let the model find these in the next conversation."""
        self.room.model.script.append(json.dumps({"memories": list(memories)}))

    async def rest(self, minutes: float = 11) -> None:
        """Let the conversation come to rest, and read it."""
        self.room.room.clock.advance(minutes * 60)
        await self.extraction.read_due()

    async def proposed(self, text: str = "Marta likes tea.", words: str = "I like tea", **more: Any) -> Proposal:
        """Let Marta say something, and the model propose a memory of it; return the newest proposal."""
        message = await self.said(f"You know, {words}!")
        self.answers(found(text, message, words) | more)
        await self.rest()
        return (await self.open())[-1]

    async def open(self) -> tuple[Proposal, ...]:
        return await self.room.room.do(lambda tx: tx.proposals.open())

    async def now(self, proposal: Proposal) -> Proposal:
        return await self.room.room.do(lambda tx: tx.proposals.get(proposal.proposal_id))

    async def details(self) -> tuple[ProposalDetails, ...]:
        return (await self.queue.load()).open

    async def entries(self, file: MemoryFile = ABOUT_MARTA) -> tuple[FileEntry, ...]:
        return file_entries(file.kind, (await self.files.text(file)).text)

    async def texts(self, file: MemoryFile = ABOUT_MARTA) -> list[str]:
        return [one.entry.text for one in await self.entries(file)]


def found(text: str, message: Message, words: str = "", **more: Any) -> dict[str, Any]:
    """Return an entry of the model's answer."""
    evidence = [{"message": int(message.key.message_id), "words": words}]
    return {"text": text, "evidence": evidence, "sensitive": False, "order": False, "confidence": 0.9} | more


@asynccontextmanager
async def memory_room(
    folder: Path, alike: Alike = by_words_alone, unpaid: Alike = by_words_alone, **levers: Any
) -> AsyncIterator[MemoryRoom]:
    """Open a room with one direct chat, with Marta; what is found is compared by `alike`, what is shown by `unpaid`."""
    async with planning_room(folder, **levers) as room:
        base, state = room.room, folder / "state"
        files = MarkdownMemoryFiles(state, (folder / "config",))
        agent_id = await base.do(lambda tx: tx.agents.all()[0].agent_id)
        tombstones = Tombstones(base.unit, base.clock, lambda name: agent_id if name == "Nora" else None)
        editor = MemoryEditor(files, base.clock, lambda: [room.spec], tombstones)
        review = MemoryReview(
            base.unit, base.bus, base.clock, room.jobs.spawn, editor, lambda _agent_id: room.spec.name
        )
        preferences = LivePreferences(Preferences())
        services = ExtractionServices(
            base.unit,
            base.clock,
            room.services.calls,
            room.services.slots,
            preferences,
            lambda _agent_id: room.spec,
            lambda account_id: account_id == OTHER_AGENT,
            files,
            TASK,
            alike,
            tombstones,
        )
        shown = ReviewList(base.unit, base.clock, files, lambda _agent_id: room.spec.name, unpaid)
        made = MemoryRoom(room, files, editor, review, shown, MemoryExtraction(services), preferences, state)
        made.events = base.events
        base.bus.subscribe(review.message_changed, MessageStored, only=is_change)
        yield made
