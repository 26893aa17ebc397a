"""The review queue: what the operator decides about proposed memories, and how that comes into the files.

A decision is stored first, with what is to be written; then the file is written under a key that is in it, so a crash
writes once. Functions that take a transaction run on the writer thread.
"""

from __future__ import annotations

import asyncio
import logging
from dataclasses import replace
from typing import TYPE_CHECKING

from chimein_gui.domain.errors import ChimeinError, RefusedError, StoreError, note_of
from chimein_gui.domain.events import MemoryProposalsChanged, MessageStored
from chimein_gui.domain.memory.edits import with_text
from chimein_gui.domain.memory.entries import MemoryFile, MemoryKind
from chimein_gui.domain.memory.folding import folded_hash
from chimein_gui.domain.memory.proposals import Choice, Decision, Effect, ProposalState
from chimein_gui.domain.memory.versions import Author
from chimein_gui.domain.notes import Note
from chimein_gui.domain.notes.configs import ConfigReason
from chimein_gui.domain.notes.faults import FaultReason
from chimein_gui.engine.core.event_bus import FaultLine
from chimein_gui.engine.memory.tombstones import is_unwanted, standing

if TYPE_CHECKING:
    from collections.abc import Callable

    from chimein_gui.domain.chats import Chat
    from chimein_gui.domain.events import EngineEvent
    from chimein_gui.domain.ids import AgentId, ChatId, PeerId
    from chimein_gui.domain.memory.edits import FileEntry
    from chimein_gui.domain.memory.proposals import Proposal, ProposalId
    from chimein_gui.engine.core.commits import UnitOfWork
    from chimein_gui.engine.core.event_bus import EventBus
    from chimein_gui.engine.memory.editor import MemoryEditor
    from chimein_gui.engine.ports import Clock, Spawn, Transaction

_log = logging.getLogger(__name__)


class MemoryReview:
    """Decides on proposed memories, compare-and-set by their version, and takes decisions back."""

    def __init__(
        self,
        unit: UnitOfWork,
        bus: EventBus,
        clock: Clock,
        spawn: Spawn,
        editor: MemoryEditor,
        name_of: Callable[[AgentId], str],
    ) -> None:
        """`name_of` returns the name under which an agent's memory files stand; raises NotFoundError."""
        self._unit, self._clock, self._spawn = unit, clock, spawn
        self._editor, self._name_of = editor, name_of
        self._fault = FaultLine(bus, "memory review", FaultReason.MEMORY_IS_KEPT)
        self._lock = asyncio.Lock()
        self._chats: set[ChatId] = set()
        """Chats with open proposals, so that an edit in any other chat costs nothing."""
        bus.subscribe(self._follow, MemoryProposalsChanged)

    def _follow(self, event: EngineEvent) -> None:
        if isinstance(event, MemoryProposalsChanged):
            self._chats.update(one.chat_id for one in event.proposals if one.state.is_open)

    def resume(self) -> None:
        """Do in a job of its own what was decided before the last end of the program and not done to a file."""
        self._spawn(self._resume(), name="reviewed memories")

    async def _resume(self) -> None:
        problem: Note | None = None
        try:
            open_now = await self._unit.read(lambda tx: tx.proposals.open())
            self._chats.update(one.chat_id for one in open_now)
            async with self._lock:
                for proposal in await self._unit.read(lambda tx: tx.proposals.with_effect()):
                    problem = await self._tried(proposal) or problem
        except ChimeinError as error:
            problem = note_of(error)
        if problem is not None:
            self._fault.show(Note(FaultReason.MEMORY_UNWRITTEN, cause=problem))
        else:
            self._fault.clear()

    async def _tried(self, proposal: Proposal) -> Note | None:
        """Do to the file what was decided; returns why it can't be done, which does not block others."""
        try:
            await self._perform(proposal)
        except ChimeinError as error:
            _log.info("A decision about a proposed memory could not be done: %s", error)
            return note_of(error)
        return None

    # --- decisions ------------------------------------------------------------------------------------------------

    async def accept(
        self, proposal_id: ProposalId, version: int, *, text: str = "", file: MemoryFile | None = None
    ) -> Proposal:
        """Write a proposal into a file of its agent.

        Args:
            proposal_id: The proposal.
            version: Its version, as the operator sees it.
            text: The operator's text instead of the model's; empty for that of the model.
            file: Where to write it; None for the entries about the person.

        Raises:
            RefusedError: It was decided meanwhile, it is stale and the text the same, or the file can't be written.
            NotFoundError: There is no such proposal.
        """
        return await self._decide(proposal_id, version, Choice.ACCEPT, text=text, file=file)

    async def merge(
        self, proposal_id: ProposalId, version: int, *, text: str, file: MemoryFile, entry: FileEntry
    ) -> Proposal:
        """Give an entry a text that says what the proposal says, too; raises as `accept`."""
        return await self._decide(proposal_id, version, Choice.MERGE, text=text, file=file, before=entry.block)

    async def reject(self, proposal_id: ProposalId, version: int) -> Proposal:
        """Do not remember a proposal; the same text is not proposed again. Raises as `accept`."""
        return await self._decide(proposal_id, version, Choice.REJECT)

    async def never(self, proposal_id: ProposalId, version: int) -> Proposal:
        """Reject all that waits about the person, and let nothing be proposed any more; raises as `accept`."""
        return await self._decide(proposal_id, version, Choice.NEVER)

    async def never_chat(self, proposal_id: ProposalId, version: int) -> Proposal:
        """Reject all that waits of the chat, and let nothing of it be read any more; raises as `accept`."""
        return await self._decide(proposal_id, version, Choice.NEVER_CHAT)

    async def undo(self, proposal_id: ProposalId) -> Proposal:
        """Take a decision back: the proposal waits again, and what was written goes.

        Raises:
            RefusedError: The operator has changed the entry since, or the file can't be written; says which.
            NotFoundError: There is no such proposal.
        """
        async with self._lock:
            proposal = await self._unit.run(lambda tx: self._undone(tx, proposal_id), wakes=False)
            return await self._perform(proposal)

    async def _decide(
        self,
        proposal_id: ProposalId,
        version: int,
        choice: Choice,
        *,
        text: str = "",
        file: MemoryFile | None = None,
        before: str = "",
    ) -> Proposal:
        now = self._clock.now()

        def decide(tx: Transaction) -> tuple[list[EngineEvent], Proposal]:
            proposal = _open(tx, proposal_id, version)
            if choice not in (Choice.ACCEPT, Choice.MERGE):
                return _rejected(tx, proposal, Decision(choice, now))
            decision = _written(tx, proposal, Decision(choice, now, text.strip(), before=before), file)
            state = ProposalState.ACCEPTED if choice is Choice.ACCEPT else ProposalState.MERGED
            fresh = replace(proposal, state=state, version=proposal.version + 1, effect=Effect.WRITE, decision=decision)
            tx.proposals.save(fresh)
            return [MemoryProposalsChanged((fresh,), tx.revision)], fresh

        async with self._lock:
            return await self._perform(await self._unit.run(decide, wakes=False))

    def _undone(self, tx: Transaction, proposal_id: ProposalId) -> tuple[list[EngineEvent], Proposal]:
        proposal = tx.proposals.get(proposal_id)
        decision = proposal.decision
        if decision is None or proposal.state.is_open or proposal.effect is not Effect.NONE:
            raise RefusedError(Note(ConfigReason.PROPOSAL_DECIDED))
        group = [proposal]
        if decision.choice in (Choice.NEVER, Choice.NEVER_CHAT):
            tx.proposals.set_never(proposal.agent_id, _left_out(tx, proposal, decision), None)
            group = [one for one in tx.proposals.decided(decision.at) if _is_same(one, proposal)]
        effect = Effect.REMOVE if decision.kind is not None else Effect.NONE
        fresh = tuple(
            replace(
                standing(tx, one),
                version=one.version + 1,
                effect=effect,
                decision=decision if effect is Effect.REMOVE else None,
            )
            for one in group
        )
        for one in fresh:
            tx.proposals.save(one)
        first = next(one for one in fresh if one.proposal_id == proposal_id)
        return [MemoryProposalsChanged(fresh, tx.revision)], first

    # --- files ----------------------------------------------------------------------------------------------------

    async def _perform(self, proposal: Proposal) -> Proposal:
        """Do to the file what was decided. A refused one is taken back, so that the operator can decide again."""
        if proposal.effect is Effect.NONE:
            return proposal
        try:
            await self._write(proposal)
        except StoreError:
            raise  # nothing is known; it is done at the next start
        except ChimeinError:
            await self._save(_undecided(proposal))
            raise
        decision = proposal.decision if proposal.effect is Effect.WRITE else None
        return await self._save(replace(proposal, effect=Effect.NONE, decision=decision))

    async def _write(self, proposal: Proposal) -> None:
        decision = proposal.decision
        if decision is None or decision.kind is None:
            return
        file = MemoryFile(decision.kind, self._name_of(proposal.agent_id), decision.peer)
        is_undo = proposal.effect is Effect.REMOVE
        if decision.choice is Choice.MERGE:
            after = with_text(decision.before, decision.text)
            pair = (after, decision.before) if is_undo else (decision.before, after)
            await self._editor.exchange(file, *pair, Author.UNDO if is_undo else Author.EXTRACTION)
        elif is_undo:
            await self._editor.remove_keyed(file, proposal.key)
        else:
            chat = await self._unit.read(lambda tx: tx.chats.get(proposal.chat_id))
            provenance = _provenance(proposal, chat)
            await self._editor.add_keyed(file, decision.text, at=decision.at, provenance=provenance, key=proposal.key)

    async def _save(self, proposal: Proposal) -> Proposal:
        def save(tx: Transaction) -> list[EngineEvent]:
            tx.proposals.save(proposal)
            return [MemoryProposalsChanged((proposal,), tx.revision)]

        await self._unit.apply(save, wakes=False)
        return proposal

    # --- evidence -------------------------------------------------------------------------------------------------

    def message_changed(self, event: EngineEvent) -> None:
        """Look at the proposals of a chat in which a message was edited or deleted; a subscriber of `MessageStored`."""
        if isinstance(event, MessageStored) and event.chat_id in self._chats:
            self._spawn(self._rebase(event), name="evidence of proposed memories")

    async def _rebase(self, event: MessageStored) -> None:
        def rebase(tx: Transaction) -> list[EngineEvent]:
            changed = []
            for proposal in tx.proposals.open_of_chat(event.chat_id):
                rests_on_it = any(one.message_id == event.message.key.message_id for one in proposal.evidence)
                fresh = standing(tx, proposal) if rests_on_it else proposal
                if fresh != proposal:
                    tx.proposals.save(fresh)
                    changed.append(fresh)
            return [MemoryProposalsChanged(tuple(changed), tx.revision)] if changed else []

        try:
            await self._unit.apply(rebase, wakes=False)
        except StoreError as error:
            _log.info("The evidence of proposed memories could not be compared: %s", error)


def _open(tx: Transaction, proposal_id: ProposalId, version: int) -> Proposal:
    proposal = tx.proposals.get(proposal_id)
    if not proposal.state.is_open or proposal.version != version or proposal.effect is not Effect.NONE:
        raise RefusedError(Note(ConfigReason.PROPOSAL_DECIDED))
    return proposal


def _written(tx: Transaction, proposal: Proposal, decision: Decision, file: MemoryFile | None) -> Decision:
    """Return a decision with what is written, and where; refuses what the operator has deleted before."""
    is_edited = bool(decision.text) and decision.text != proposal.text
    if proposal.state is ProposalState.STALE and not is_edited:
        raise RefusedError(Note(ConfigReason.PROPOSAL_STALE))
    text = decision.text or proposal.text
    chat = tx.chats.get(proposal.chat_id).info.peer_id
    if not is_edited and is_unwanted(tx, proposal.agent_id, chat, proposal.person_id, folded_hash(text)):
        raise RefusedError(Note(ConfigReason.PROPOSAL_STALE))
    if file is None:
        return replace(decision, text=text, kind=MemoryKind.ABOUT_PARTNER, peer=proposal.person_id)
    return replace(decision, text=text, kind=file.kind, peer=file.peer)


def _rejected(tx: Transaction, proposal: Proposal, decision: Decision) -> tuple[list[EngineEvent], Proposal]:
    group = [proposal]
    if decision.choice in (Choice.NEVER, Choice.NEVER_CHAT):
        tx.proposals.set_never(proposal.agent_id, _left_out(tx, proposal, decision), decision.at)
        group = (
            list(tx.proposals.open_of_person(proposal.agent_id, proposal.person_id))
            if decision.choice is Choice.NEVER
            else list(tx.proposals.open_of_chat(proposal.chat_id))
        )
        group = [one for one in group if one.effect is Effect.NONE]  # what an undo has still to remove must go
    fresh = tuple(
        replace(one, state=ProposalState.REJECTED, version=one.version + 1, decision=decision) for one in group
    )
    for one in fresh:
        tx.proposals.save(one)
    first = next(one for one in fresh if one.proposal_id == proposal.proposal_id)
    return [MemoryProposalsChanged(fresh, tx.revision)], first


def _left_out(tx: Transaction, proposal: Proposal, decision: Decision) -> PeerId:
    """Return who, or which chat, is left out by a "never"."""
    if decision.choice is Choice.NEVER_CHAT:
        return tx.chats.get(proposal.chat_id).info.peer_id
    return proposal.person_id


def _is_same(one: Proposal, other: Proposal) -> bool:
    """Return whether two proposals were rejected by one "never"."""
    if one.agent_id != other.agent_id or one.decision != other.decision:
        return False
    is_chat = other.decision is not None and other.decision.choice is Choice.NEVER_CHAT
    return one.chat_id == other.chat_id if is_chat else one.person_id == other.person_id


def _open_state(proposal: Proposal) -> ProposalState:
    return ProposalState.WAITING if proposal.stale is None else ProposalState.STALE


def _undecided(proposal: Proposal) -> Proposal:
    """Return a proposal as it was before a decision, or an undo, that could not be done."""
    if proposal.effect is Effect.WRITE:
        return replace(
            proposal, state=_open_state(proposal), version=proposal.version + 1, effect=Effect.NONE, decision=None
        )
    decision = proposal.decision
    is_merge = decision is not None and decision.choice is Choice.MERGE
    state = ProposalState.MERGED if is_merge else ProposalState.ACCEPTED
    return replace(proposal, state=state, version=proposal.version - 1, effect=Effect.NONE)


def _provenance(proposal: Proposal, chat: Chat) -> str:
    numbers = " ".join(str(part.message_id) for part in proposal.evidence)
    return (
        f"chat {chat.info.peer_id} ({chat.info.title}), partner {proposal.person_id}, messages {numbers}, "
        "source: extraction"
    )
