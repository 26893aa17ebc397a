"""What the Review tab shows: each open proposal with its evidence, the nearest entry, and who would read it.

The function that takes a transaction runs on the reader thread.
"""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, NamedTuple

from chimein_gui.domain.chats import ChatKind
from chimein_gui.domain.errors import ChimeinError
from chimein_gui.domain.memory.edits import file_entries
from chimein_gui.domain.memory.entries import MemoryFile, MemoryKind
from chimein_gui.domain.memory.likeness import merged
from chimein_gui.domain.memory.proposals import ProposalDetails, ReviewQueue
from chimein_gui.domain.messages import MessageKey
from chimein_gui.domain.spending.days import day_around
from chimein_gui.engine.memory.duplicates import near_of

if TYPE_CHECKING:
    from collections.abc import Callable

    from chimein_gui.domain.chats import Chat
    from chimein_gui.domain.ids import AgentId, Revision
    from chimein_gui.domain.memory.edits import FileEntry
    from chimein_gui.domain.memory.proposals import Proposal
    from chimein_gui.domain.messages import Message
    from chimein_gui.engine.core.commits import UnitOfWork
    from chimein_gui.engine.memory.duplicates import Alike
    from chimein_gui.engine.ports import Clock, MemoryFiles, Transaction


class _Read(NamedTuple):
    proposal: Proposal
    chat: Chat
    messages: tuple[Message, ...]
    other_chats: int


class ReviewList:
    """Reads the queue anew at each call; nothing about files is kept, because they change."""

    def __init__(
        self,
        unit: UnitOfWork,
        clock: Clock,
        files: MemoryFiles | None,
        name_of: Callable[[AgentId], str],
        alike: Alike,
    ) -> None:
        """Create the reader.

        Args:
            unit: The database.
            clock: Time.
            files: The memory files.
            name_of: Returns the name under which an agent's memory files stand; raises NotFoundError.
            alike: Compares by meaning, without a call that costs money: the list is read again and again.
        """
        self._unit, self._clock, self._files, self._name_of, self._alike = unit, clock, files, name_of, alike

    async def load(self) -> ReviewQueue:
        """Return all that waits, oldest first, and what was decided on the local day, newest first.

        Raises:
            StoreError: It could not be read.
        """
        began_at, _ends_at = day_around(self._clock.now())

        def read(tx: Transaction) -> tuple[list[_Read], tuple[Proposal, ...], Revision]:
            return [_read(tx, one) for one in tx.proposals.open()], tx.proposals.decided(began_at), tx.revision

        rows, decided, revision = await self._unit.read(read)
        entries: dict[MemoryFile, tuple[FileEntry, ...]] = {}
        details = tuple([await self._details(row, entries) for row in rows])
        return ReviewQueue(details, decided, revision)

    async def _details(self, row: _Read, entries: dict[MemoryFile, tuple[FileEntry, ...]]) -> ProposalDetails:
        proposal, chat = row.proposal, row.chat
        try:
            name = self._name_of(proposal.agent_id)
        except ChimeinError:
            return ProposalDetails(proposal, chat.info.title, row.messages)
        files = (
            MemoryFile(MemoryKind.ABOUT_PARTNER, name, proposal.person_id),
            MemoryFile(MemoryKind.CURATED, name, chat.info.peer_id),
            MemoryFile(MemoryKind.REMEMBERED, name),
        )
        for file in files:
            if file not in entries:
                text = await self._files.text(file) if self._files is not None else None
                content = text.text if text is not None else ""
                entries[file] = await asyncio.to_thread(file_entries, file.kind, content)
        found = [(file, number, entry) for file in files for number, entry in enumerate(entries[file], 1)]
        near = await near_of([entry.entry.text for _, _, entry in found], proposal.text, files, self._alike)
        is_near = near is not None and near.is_alike
        best_file, number, best = found[near.place] if near is not None and is_near else (None, 0, None)
        return ProposalDetails(
            proposal,
            chat.info.title,
            row.messages,
            nearest=best,
            nearest_file=best_file,
            nearest_number=number,
            score=near.score if near is not None and is_near else 0.0,
            is_by_meaning=near is not None and is_near and near.is_by_meaning,
            merged=merged(best.entry.text, proposal.text) if best is not None else "",
            files=files,
            is_group=chat.info.kind is not ChatKind.DM,
            other_chats=row.other_chats,
            members=chat.info.members,
        )


def _read(tx: Transaction, proposal: Proposal) -> _Read:
    chat = tx.chats.get(proposal.chat_id)
    account, peer = chat.info.account_id, chat.info.peer_id
    numbers = [part.message_id for part in proposal.evidence]
    before = tx.messages.before(account, peer, before_id=min(numbers), limit=1) if numbers else ()
    found = [*before, *(tx.messages.get(MessageKey(account, peer, number)) for number in numbers)]
    messages = tuple(one for one in found if one is not None and not one.deleted)
    return _Read(proposal, chat, messages, max(0, len(tx.chats.of_account(account)) - 1))
