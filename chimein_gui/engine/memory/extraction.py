"""Reads conversations that have come to rest for what is worth remembering; the operator decides about what is found.

Nothing of it is ever in the way of a plan: a conversation is read only while slots for plans are spare, one at a time.
How far a chat was read is stored in the transaction that stores what was found. Functions that take a transaction run
on the writer thread, `_read` on the reader thread.
"""

from __future__ import annotations

import asyncio
import logging
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, NamedTuple

from chimein_gui.domain.chats import ChatKind
from chimein_gui.domain.costs import EXTRACTION
from chimein_gui.domain.errors import ChimeinError, ModelError, ModelRefusedError
from chimein_gui.domain.events import MemoryProposalsChanged, MessageStored
from chimein_gui.domain.ids import AccountId, PeerId
from chimein_gui.domain.memory.edits import file_entries
from chimein_gui.domain.memory.entries import MemoryScope
from chimein_gui.domain.memory.extraction import SCHEMA, ExtractionError, read_found
from chimein_gui.domain.memory.folding import folded_hash
from chimein_gui.domain.memory.proposals import NewProposal
from chimein_gui.domain.memory.recall import readable_files
from chimein_gui.domain.messages import SERVICE_NOTIFICATIONS, MessageKey
from chimein_gui.domain.prompt.marks import EXPLAINED
from chimein_gui.domain.prompt.prompts import Prompt, PromptSection, Role, Turn
from chimein_gui.domain.spending.caps import Payer
from chimein_gui.domain.spending.days import day_around
from chimein_gui.engine.core.clock import pause
from chimein_gui.engine.llm.calls import CallInterruptedError, PlanTrace, book
from chimein_gui.engine.memory.duplicates import by_words_alone, near_of
from chimein_gui.engine.memory.outside import OutsideChanges
from chimein_gui.engine.memory.tombstones import is_unwanted, standing
from chimein_gui.engine.policy.trust import SILENT, trust_now
from chimein_gui.engine.prompt.builder import message_parts, record_of, voice_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from chimein_gui.domain.agents import AgentSpec
    from chimein_gui.domain.chats import Chat
    from chimein_gui.domain.events import EngineEvent
    from chimein_gui.domain.ids import AgentId, ChatId, MessageId
    from chimein_gui.domain.media.records import MediaRecord
    from chimein_gui.domain.memory.proposals import FoundMemory, Proposal
    from chimein_gui.domain.messages import Message
    from chimein_gui.engine.core.commits import UnitOfWork
    from chimein_gui.engine.core.environment import LivePreferences
    from chimein_gui.engine.core.fair_semaphore import FairSemaphore
    from chimein_gui.engine.llm.calls import ModelCalls
    from chimein_gui.engine.media.enricher import MediaReader
    from chimein_gui.engine.memory.duplicates import Alike
    from chimein_gui.engine.memory.tombstones import Tombstones
    from chimein_gui.engine.ports import Clock, MemoryFiles, Transaction

_log = logging.getLogger(__name__)

FIRST_S = 60.0
EVERY_S = 30.0
"""Pauses: after the start, and between two looks for conversations at rest."""
AFTER_FAULT_S = 600.0
"""Pause after a call that failed, unless the service names another."""
MOST_MESSAGES = 100
"""Messages of a chat that are read at once: at first the newest, then all that follow, portion by portion."""
MOST_CHARACTERS = 24_000
OLDEST = timedelta(days=7)
"""A conversation that came to rest longer ago is not read until somebody writes in it again."""
KEPT = timedelta(days=90)
"""How long decided proposals are kept."""
TITLE = "Extraction of memories"


@dataclass(frozen=True, slots=True)
class ExtractionServices:
    """What the extraction needs.

    Attributes:
        unit: The database.
        clock: Time.
        calls: Makes model calls.
        slots: Those of plans.
        preferences: On, off, limits.
        spec_of: Returns an agent's file as it is now.
        is_own: Tells whether an account belongs to one of our agents.
        files: The memory files.
        prompt: The text of the task; ``{name}`` stands for the agent's name.
        alike: Finds entries that mean the same as what was found.
        tombstones: Keep what another program deletes from being proposed again.
        media: Knows what pictures and sounds in the messages show or say.
    """

    unit: UnitOfWork
    clock: Clock
    calls: ModelCalls
    slots: FairSemaphore
    preferences: LivePreferences
    spec_of: Callable[[AgentId], AgentSpec]
    is_own: Callable[[AccountId], bool]
    files: MemoryFiles
    prompt: str
    alike: Alike = by_words_alone
    tombstones: Tombstones | None = None
    media: MediaReader | None = None


class _Said(NamedTuple):
    """What was said in a chat since it was last read.

    Attributes:
        chat: The chat.
        messages: What is read, oldest first; empty if there is nothing to read.
        up_to: The newest message that is read, or passed over.
        is_all: No later ones are left.
    """

    chat: Chat
    messages: tuple[Message, ...]
    up_to: MessageId
    is_all: bool = True


class MemoryExtraction:
    """Follows what is said, and reads it when a conversation has come to rest."""

    def __init__(self, services: ExtractionServices) -> None:
        """Nothing happens before `run`."""
        self._with = services
        self._outside = OutsideChanges(services.files, services.tombstones)
        self._talked: dict[ChatId, datetime] = {}
        self._not_before: datetime | None = None
        self._one_at_a_time = asyncio.Lock()

    def message_stored(self, event: EngineEvent) -> None:
        """Note that somebody wrote; a subscriber of `MessageStored`."""
        if isinstance(event, MessageStored) and not event.message.deleted:
            known = self._talked.get(event.chat_id)
            at = event.message.sent_at
            if at >= self._with.clock.now() - OLDEST and (known is None or at > known):
                self._talked[event.chat_id] = at

    async def run(self) -> None:
        """Read conversations until cancelled.

        Raises:
            StoreError: The database failed; what was not stored is read again.
        """
        clock, unit = self._with.clock, self._with.unit
        await pause(clock, FIRST_S)
        await self._note_unread()
        await unit.write(lambda tx: tx.proposals.forget_before(clock.now() - KEPT))
        while True:
            await self.read_due()
            await pause(clock, EVERY_S)

    async def read_due(self) -> None:
        """Read what is at rest now, as long as no plan waits and the budget of the day allows it."""
        now, rest_s = self._with.clock.now(), self._with.preferences.now.extraction_rest_s
        if self._not_before is None or now >= self._not_before:
            async with self._one_at_a_time:
                await self._read_until(now - timedelta(seconds=rest_s))

    async def read_now(self) -> None:
        """Read what was said and not read yet, without waiting for rest; the limits hold.

        Raises:
            StoreError: The database failed; what was not stored is read again.
        """
        async with self._one_at_a_time:
            await self._note_unread()
            await self._read_until(self._with.clock.now())

    async def _note_unread(self) -> None:
        since = self._with.clock.now() - OLDEST
        for chat_id, at in await self._with.unit.read(lambda tx: unread_chats(tx, since)):
            self._talked.setdefault(chat_id, at)

    async def _read_until(self, at_rest: datetime) -> None:
        due = sorted((at, chat_id) for chat_id, at in self._talked.items() if at <= at_rest)
        for at, chat_id in due:
            is_all: bool | None = False
            while not is_all:
                if not self._with.slots.spare or not await self._has_budget():
                    return
                is_all = await self._look_at(chat_id)
                if is_all is None:
                    return
            if self._talked.get(chat_id) == at:
                del self._talked[chat_id]

    async def _has_budget(self) -> bool:
        most = self._with.preferences.now.extraction_calls
        began_at, ends_at = day_around(self._with.clock.now())
        made = await self._with.unit.read(lambda tx: tx.effects.calls_between(EXTRACTION, began_at, ends_at))
        return made < most

    async def _look_at(self, chat_id: ChatId) -> bool | None:
        """Read a portion of a chat; returns whether all of it is read, None if it has to be tried again later."""
        said = await self._with.unit.read(lambda tx: _read(tx, chat_id))
        if not self._is_wanted(said.chat) or not said.messages:
            return True
        try:
            spec = self._with.spec_of(said.chat.agent_id)
        except ChimeinError:
            return True  # its file is gone; what is said meanwhile is read when it returns
        model = spec.model or self._with.preferences.now.model
        if self._with.calls.key_problem(model) is not None:
            return None
        media = self._with.media
        described = await media.of_messages(spec.name, said.messages) if media is not None else {}
        prompt = extraction_prompt(self._with.prompt, spec, model, said.messages, described)
        return await self._ask(said, spec, prompt)

    async def _ask(self, said: _Said, spec: AgentSpec, prompt: Prompt) -> bool | None:
        trace = PlanTrace(Payer(said.chat.agent_id, said.chat.chat_id))
        found: tuple[FoundMemory, ...] = ()
        try:
            answer = await self._with.calls.ask((EXTRACTION, said.chat.chat_id), prompt, EXTRACTION, trace)
            found = read_found(answer.text, said.messages)
        except (ModelRefusedError, ExtractionError) as error:
            # The same text would be refused, or misread, again.
            _log.info("A conversation could not be read for memories: %s", error)
        except ModelError as error:
            wait_s = getattr(error, "retry_after_s", None) or AFTER_FAULT_S
            self._not_before = self._with.clock.now() + timedelta(seconds=wait_s)
            await self._store(said, trace, (), is_read=False)
            return None
        except (asyncio.CancelledError, CallInterruptedError):
            taken = trace.take_unbooked()
            self._with.unit.submit(lambda tx: book(tx, said.chat.chat_id, taken))
            raise
        await self._store(said, trace, await self._unwritten(said, spec, found))
        return said.is_all

    def _is_wanted(self, chat: Chat) -> bool:
        preferences = self._with.preferences.now
        if trust_now(chat, self._with.clock.now()) in SILENT:
            return False  # nothing is remembered there, so nothing of it goes to a model for that either
        if chat.info.kind is ChatKind.DM:
            peer = int(chat.info.peer_id)
            is_person = peer != SERVICE_NOTIFICATIONS and not self._with.is_own(AccountId(peer))
            return preferences.extraction and is_person
        return preferences.extraction_groups and chat.info.kind is ChatKind.GROUP

    async def _unwritten(self, said: _Said, spec: AgentSpec, found: Iterable[FoundMemory]) -> list[FoundMemory]:
        """Return what the files that the chat reads do not say already."""
        known: dict[PeerId | None, list[str]] = {}
        fresh = []
        for one in found:
            person = _person_of(said, _author_of(one, said))
            scope = MemoryScope(spec.name, said.chat.info.peer_id, person)
            if person not in known:
                for file in readable_files(scope):
                    await self._outside.see(file)
                texts = await self._with.files.texts(scope)
                known[person] = [entry.entry.text for text in texts for entry in file_entries(text.kind, text.text)]
            near = await near_of(known[person], one.text, readable_files(scope), self._with.alike)
            if near is None or not near.is_same:
                fresh.append(one)
        return fresh

    async def _store(
        self,
        said: _Said,
        trace: PlanTrace,
        fresh: Sequence[FoundMemory],
        *,
        is_read: bool = True,
    ) -> None:
        """Book the call, store what was found and how far the chat was read, in one transaction."""
        calls, now = trace.unbooked, self._with.clock.now()

        def store(tx: Transaction) -> list[EngineEvent]:
            events = book(tx, said.chat.chat_id, calls)
            cost = sum(call.cost_usd for call in calls if call.cost_usd is not None) / len(fresh) if fresh else None
            rows = [
                NewProposal(one, said.chat.agent_id, said.chat.chat_id, person, name, now, calls[-1].model, cost)
                for one in fresh
                for author in (_author_of(one, said),)
                for person, name in ((_person_of(said, author), author.sender_name or said.chat.info.title),)
                if person is not None and not self._is_refused(tx, said, one, author)
            ]
            added = tuple(_added(tx, row) for row in rows)
            if is_read:
                tx.proposals.set_read_up_to(said.chat.chat_id, said.up_to, now)
            return [*events, MemoryProposalsChanged(added, tx.revision)] if added else events

        await self._with.unit.apply(store, wakes=False)
        trace.take_unbooked()

    def _is_refused(self, tx: Transaction, said: _Said, one: FoundMemory, author: Message) -> bool:
        """Return whether the operator does not want a proposal, or has it already."""
        agent_id, person = said.chat.agent_id, _person_of(said, author)
        if author.is_bot or person is None or self._with.is_own(AccountId(int(person))):
            return True
        if any(_is_gone(tx, said, part.message_id) for part in one.evidence):
            return True  # deleted, or its author was forgotten, while the model read
        text_hash = folded_hash(one.text)
        return (
            tx.proposals.is_never(agent_id, person)
            or tx.proposals.is_known(agent_id, person, text_hash)
            or is_unwanted(tx, agent_id, said.chat.info.peer_id, person, text_hash)
        )


def extraction_prompt(
    task: str, spec: AgentSpec, model: str, messages: Iterable[Message], described: Mapping[str, MediaRecord]
) -> Prompt:
    """Compose the prompt: the task, how marks are read, and the messages as one quoted turn.

    Args:
        task: The text of the task; ``{name}`` stands for the agent's name. What follows a line ``---`` stands behind
            the messages.
        spec: The agent.
        model: The model that is asked.
        messages: What it reads, oldest first.
        described: What is known of their media, by the ids of these.
    """
    name, zone = voice_of(spec)
    parts = tuple(
        part for message in messages for part in message_parts(message, name, zone, record_of(message, described))
    )
    rules, _, reminder = task.replace("{name}", name).partition("\n---\n")
    sections = [PromptSection(TITLE, rules.strip()), PromptSection("Marks", EXPLAINED)]
    if reminder:
        sections.append(PromptSection("Answer", reminder.strip(), is_last=True))
    return Prompt(model, tuple(sections), (Turn(Role.USER, parts),), temperature=0.0, schema=SCHEMA)


def unread_chats(tx: Transaction, since: datetime) -> list[tuple[ChatId, datetime]]:
    """Return the chats in which something was said after a moment that was not read, and when the last was said."""
    found = []
    for chat in tx.chats.all():  # the newest message first
        if chat.last_at is None or chat.last_at < since:
            break
        if chat.newest_in_id > (tx.proposals.read_up_to(chat.chat_id) or 0):
            found.append((chat.chat_id, chat.last_at))
    return found


def _read(tx: Transaction, chat_id: ChatId) -> _Said:
    """Return the next portion of what was said since a chat was last read; nothing if nobody else has said a word."""
    chat = tx.chats.get(chat_id)
    account, peer = chat.info.account_id, chat.info.peer_id
    newest_id, above = tx.messages.newest_id(account, peer), tx.proposals.read_up_to(chat_id)
    if newest_id <= (above or 0) or tx.proposals.is_never(chat.agent_id, peer):
        return _Said(chat, (), newest_id)
    if above is None:
        newest = tx.messages.before(account, peer, before_id=None, limit=MOST_MESSAGES)
        heard = _that_fit(reversed(newest))[::-1]
        return _Said(chat, heard if _has_words(heard) else (), newest_id)
    while True:
        portion = tx.transcripts.above(account, peer, above_id=above, limit=MOST_MESSAGES)
        heard = _that_fit(portion)
        is_cut = len(heard) < len(_heard(portion))
        is_all = len(portion) < MOST_MESSAGES and not is_cut
        above = newest_id if is_all else heard[-1].key.message_id if is_cut else portion[-1].key.message_id
        if _has_words(heard):
            return _Said(chat, heard, above, is_all)
        if is_all:
            return _Said(chat, (), newest_id)


def _heard(messages: Iterable[Message]) -> tuple[Message, ...]:
    return tuple(one for one in messages if not (one.deleted or one.is_service))


def _that_fit(messages: Iterable[Message]) -> tuple[Message, ...]:
    """Return the first of some messages that are read at once, at least one."""
    kept: list[Message] = []
    size = 0
    for message in _heard(messages):
        size += len(message.text)
        if size > MOST_CHARACTERS and kept:
            break
        kept.append(message)
    return tuple(kept)


def _has_words(messages: Iterable[Message]) -> bool:
    return any(one.text and not (one.out or one.is_bot) for one in messages)


def _is_gone(tx: Transaction, said: _Said, message_id: MessageId) -> bool:
    info = said.chat.info
    message = tx.messages.get(MessageKey(info.account_id, info.peer_id, message_id))
    return message is None or message.deleted or not message.text


def _added(tx: Transaction, row: NewProposal) -> Proposal:
    """Add a proposal; if its words were edited while the model read, it is stale at once."""
    added = tx.proposals.add(row)
    fresh = standing(tx, added)
    if fresh != added:
        tx.proposals.save(fresh)
    return fresh


def _author_of(found: FoundMemory, said: _Said) -> Message:
    """Return the first message of somebody else on which an entry rests; its author is whom it is about."""
    numbers = {part.message_id for part in found.evidence}
    return next(one for one in said.messages if one.key.message_id in numbers and not one.out)


def _person_of(said: _Said, author: Message) -> PeerId | None:
    """Return whom an entry is about; None for somebody without an id, of whom nothing is remembered."""
    if said.chat.info.kind is ChatKind.DM:
        return said.chat.info.peer_id
    return None if author.sender_id is None else PeerId(int(author.sender_id))
