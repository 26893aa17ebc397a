"""The review queue of a fake engine: decisions as the engine makes them, without files."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from chimein_gui.domain.errors import RefusedError
from chimein_gui.domain.events import MemoryProposalsChanged
from chimein_gui.domain.ids import Revision
from chimein_gui.domain.memory.proposals import Choice, Decision, Proposal, ProposalDetails, ProposalState, ReviewQueue
from chimein_gui.domain.notes import Note
from chimein_gui.domain.notes.configs import ConfigReason

if TYPE_CHECKING:
    from chimein_gui.domain.memory.edits import FileEntry
    from chimein_gui.domain.memory.entries import MemoryFile
    from chimein_gui.domain.memory.proposals import ProposalId
    from tests.fakes.engine_api import FakeEngineApi

STATES = {
    Choice.ACCEPT: ProposalState.ACCEPTED,
    Choice.MERGE: ProposalState.MERGED,
    Choice.REJECT: ProposalState.REJECTED,
    Choice.NEVER: ProposalState.REJECTED,
    Choice.NEVER_CHAT: ProposalState.REJECTED,
}


class FakeReview:
    """Implements `viewmodels.engine_api.memory.ReviewService` and `ReviewReader`."""

    def __init__(self, api: FakeEngineApi) -> None:
        self._api = api
        self.items: dict[ProposalId, ProposalDetails] = {}

    async def load(self) -> ReviewQueue:
        items = tuple(self.items.values())
        waiting = tuple(one for one in items if one.proposal.state.is_open)
        decided = tuple(one.proposal for one in reversed(items) if not one.proposal.state.is_open)
        return ReviewQueue(waiting, decided, Revision(self._api.revision))

    async def accept(
        self, proposal_id: ProposalId, version: int, *, text: str = "", file: MemoryFile | None = None
    ) -> Proposal:
        return self._decide(proposal_id, version, Choice.ACCEPT, text, file)

    async def merge(
        self, proposal_id: ProposalId, version: int, *, text: str, file: MemoryFile, entry: FileEntry
    ) -> Proposal:
        return self._decide(proposal_id, version, Choice.MERGE, text, file)

    async def reject(self, proposal_id: ProposalId, version: int) -> Proposal:
        return self._decide(proposal_id, version, Choice.REJECT)

    async def never(self, proposal_id: ProposalId, version: int) -> Proposal:
        person = self.items[proposal_id].proposal.person_id
        for one in tuple(self.items.values()):
            if one.proposal.person_id == person and one.proposal.state.is_open:
                self._decide(one.proposal.proposal_id, one.proposal.version, Choice.NEVER)
        return self.items[proposal_id].proposal

    async def never_chat(self, proposal_id: ProposalId, version: int) -> Proposal:
        return self._decide(proposal_id, version, Choice.NEVER_CHAT)

    async def undo(self, proposal_id: ProposalId) -> Proposal:
        proposal = self.items[proposal_id].proposal
        return self._save(replace(proposal, state=ProposalState.WAITING, version=proposal.version + 1, decision=None))

    def _decide(
        self, proposal_id: ProposalId, version: int, choice: Choice, text: str = "", file: MemoryFile | None = None
    ) -> Proposal:
        proposal = self.items[proposal_id].proposal
        is_unread = proposal.state is ProposalState.STALE and choice is Choice.ACCEPT and not text
        if is_unread or proposal.version != version:
            raise RefusedError(Note(ConfigReason.PROPOSAL_STALE if is_unread else ConfigReason.PROPOSAL_DECIDED))
        kind, peer = (file.kind, file.peer) if file is not None else (None, None)
        decision = Decision(choice, self._api.now(), text or proposal.text, kind, peer)
        fresh = replace(proposal, state=STATES[choice], version=version + 1, decision=decision)
        return self._save(fresh)

    def _save(self, proposal: Proposal) -> Proposal:
        details = self.items.pop(proposal.proposal_id)
        self.items[proposal.proposal_id] = replace(details, proposal=proposal)
        self._api.bus.publish(MemoryProposalsChanged((proposal,), Revision(self._api.revision)))
        return proposal
