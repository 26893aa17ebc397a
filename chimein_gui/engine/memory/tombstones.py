"""What the operator has deleted or corrected is not proposed again: its folded text leaves a tombstone.

A tombstone is stored before the file is written, in one transaction with the end of the old ones. If the file can't be
written, it is taken back. Functions that take a transaction run on the writer thread.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

from chimein_gui.domain.events import MemoryProposalsChanged
from chimein_gui.domain.memory.entries import MemoryFile, MemoryKind
from chimein_gui.domain.memory.folding import folded_hash
from chimein_gui.domain.memory.proposals import ProposalState, StaleReason
from chimein_gui.domain.messages import MessageKey

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable

    from chimein_gui.domain.events import EngineEvent
    from chimein_gui.domain.ids import AgentId, PeerId
    from chimein_gui.domain.memory.proposals import Proposal
    from chimein_gui.engine.core.commits import UnitOfWork
    from chimein_gui.engine.ports import Clock, Transaction


class Noted(NamedTuple):
    """What `Tombstones.note` has changed, for `revert`.

    Attributes:
        file: The file.
        set: Hashes that got a tombstone.
        cleared: Hashes that lost theirs.
    """

    file: MemoryFile
    set: tuple[str, ...] = ()
    cleared: tuple[str, ...] = ()


class Tombstones:
    """Sets and clears tombstones; proposals of the same text become stale, or wait again."""

    def __init__(self, unit: UnitOfWork, clock: Clock, agent_id_of: Callable[[str], AgentId | None]) -> None:
        """`agent_id_of` returns the agent with a name, None if there is none."""
        self._unit, self._clock, self._agent_id_of = unit, clock, agent_id_of

    async def note(self, file: MemoryFile, gone: Collection[str], come: Collection[str]) -> Noted:
        """Store that texts leave a file for good, and that others come into it.

        Raises:
            StoreError: Nothing is stored.
        """
        kept = {folded_hash(text) for text in come}
        return await self._change(file, {folded_hash(text) for text in gone} - kept, kept)

    async def revert(self, noted: Noted) -> None:
        """Undo `note`, because the file was not written.

        Raises:
            StoreError: Nothing is stored.
        """
        await self._change(noted.file, noted.cleared, noted.set)

    async def _change(self, file: MemoryFile, to_set: Iterable[str], to_clear: Iterable[str]) -> Noted:
        agent_id = self._agent_id_of(file.agent_name)
        hashes, others = tuple(sorted(to_set)), tuple(sorted(to_clear))
        if agent_id is None or not (hashes or others):
            return Noted(file)
        now = self._clock.now()

        def change(tx: Transaction) -> tuple[list[EngineEvent], Noted]:
            rows = tx.proposals
            fresh = tuple(one for one in hashes if not rows.has_tombstone(agent_id, file.kind, file.peer, one))
            lost = tuple(one for one in others if rows.has_tombstone(agent_id, file.kind, file.peer, one))
            for one in fresh:
                rows.set_tombstone(agent_id, file.kind, file.peer, one, now)
            for one in lost:
                rows.set_tombstone(agent_id, file.kind, file.peer, one, None)
            return _proposals_changed(tx, agent_id, {*fresh, *lost}), Noted(file, fresh, lost)

        return await self._unit.run(change, wakes=False)


def is_unwanted(tx: Transaction, agent_id: AgentId, chat: PeerId, person: PeerId, text_hash: str) -> bool:
    """Return whether the operator has deleted a text from any file that a chat reads with this person."""
    places = ((MemoryKind.CURATED, chat), (MemoryKind.REMEMBERED, None), (MemoryKind.ABOUT_PARTNER, person))
    return any(tx.proposals.has_tombstone(agent_id, kind, peer, text_hash) for kind, peer in places)


def standing(tx: Transaction, proposal: Proposal) -> Proposal:
    """Return an open proposal as it stands now: stale, and why, or waiting."""
    info = tx.chats.get(proposal.chat_id).info
    parts = (
        (one, tx.messages.get(MessageKey(info.account_id, info.peer_id, one.message_id))) for one in proposal.evidence
    )
    stale: StaleReason | None = None
    for part, message in parts:
        if message is None or message.deleted:
            stale = StaleReason.EVIDENCE_DELETED
            break
        if part.words not in message.text:
            stale = StaleReason.EVIDENCE_EDITED
    text_hash = folded_hash(proposal.text)
    if stale is None and is_unwanted(tx, proposal.agent_id, info.peer_id, proposal.person_id, text_hash):
        stale = StaleReason.MEMORY_DELETED
    state = ProposalState.WAITING if stale is None else ProposalState.STALE
    return replace(proposal, state=state, stale=stale)


def _proposals_changed(tx: Transaction, agent_id: AgentId, hashes: Collection[str]) -> list[EngineEvent]:
    """Let open proposals of these texts become stale, or wait again."""
    changed = []
    for proposal in tx.proposals.open():
        text_hash = folded_hash(proposal.text)
        if proposal.agent_id != agent_id or text_hash not in hashes:
            continue
        fresh = standing(tx, proposal)
        if fresh != proposal:
            tx.proposals.save(fresh)
            changed.append(fresh)
    return [MemoryProposalsChanged(tuple(changed), tx.revision)] if changed else []
