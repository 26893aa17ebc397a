"""The review queue: proposed memories that wait, what was decided today, and the operator's decisions."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QCoreApplication, QObject, Signal

from chimein_gui.domain.events import MemoryProposalsChanged
from chimein_gui.domain.memory.proposals import ProposalDetails
from chimein_gui.viewmodels.core.commands import GuardedJobs
from chimein_gui.viewmodels.core.keyed_list import KeyedListModel
from chimein_gui.viewmodels.core.sanitize import spoken
from chimein_gui.viewmodels.memory.review_words import chips_words, decided_words

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable
    from datetime import datetime

    from chimein_gui.domain.events import EngineEvent
    from chimein_gui.domain.ids import AgentId
    from chimein_gui.domain.memory.entries import MemoryFile
    from chimein_gui.domain.memory.proposals import Proposal, ProposalId, ReviewQueue
    from chimein_gui.engine.ports import Spawn
    from chimein_gui.viewmodels.engine_api.memory import ExtractionService, MemoriesApi, ReviewReader, ReviewService
    from chimein_gui.viewmodels.window import WindowModels

translate = QCoreApplication.translate


class OpenRows(KeyedListModel[ProposalDetails]):
    """What waits, oldest first."""

    def __init__(self, parent: QObject, agent_name: Callable[[AgentId], str]) -> None:
        super().__init__(parent)
        self._agent_name = agent_name

    def key_of(self, item: ProposalDetails) -> ProposalId:
        return item.proposal.proposal_id

    def order_of(self, item: ProposalDetails) -> tuple[datetime, int]:
        return item.proposal.created_at, int(item.proposal.proposal_id)

    def sentence_of(self, item: ProposalDetails) -> str:
        names = self._agent_name(item.proposal.agent_id), item.chat_title
        return ". ".join(map(spoken, (item.proposal.text.rstrip("."), *chips_words(item), *names)))


class DecidedRows(KeyedListModel["Proposal"]):
    """What was decided today, newest first."""

    def key_of(self, item: Proposal) -> ProposalId:
        return item.proposal_id

    def order_of(self, item: Proposal) -> tuple[float, int]:
        at = item.decision.at.timestamp() if item.decision is not None else 0.0
        return -at, -int(item.proposal_id)

    def sentence_of(self, item: Proposal) -> str:
        return f"{decided_words(item)}: {spoken(item.text)}"


class ReviewModel(QObject):
    """Reads the queue when it changes, and decides.

    Attributes:
        changed: The queue is another, or conversations are being read.
        failed: A decision was refused; carries the reason in words.
        decided: A decision was stored; carries it in words, and the proposal.
        open: What waits.
        closed: What was decided today.
        is_looking: Conversations are being read for the operator.
    """

    changed = Signal()
    failed = Signal(str)
    decided = Signal(str, object)

    def __init__(self, models: WindowModels) -> None:
        super().__init__(models)
        self._models = models
        self._api: ReviewService | None = None
        self._reader: ReviewReader | None = None
        self._jobs = GuardedJobs(models.bridge, self._fail)
        self._run = self._jobs.run
        self._extraction: ExtractionService | None = None
        self.is_looking = self._is_reading = self._again = False
        self.open = OpenRows(self, self.agent_name)
        self.closed = DecidedRows(self)
        models.bridge.batch_ready.connect(self._receive)

    # --- the engine -----------------------------------------------------------------------------------------------

    def attach(self, api: MemoriesApi, spawn: Spawn) -> None:
        """Read the queue."""
        self._api, self._reader, self._jobs.spawn = api.memory_review, api.review_list, spawn
        self._extraction = api.extraction
        self.refresh()

    def detach(self) -> None:
        """Stop reading."""
        self._api = self._reader = self._jobs.spawn = self._extraction = None

    def refresh(self) -> None:
        """Read again; what is asked while it is read is read once more afterwards."""
        if self._reader is None:
            return
        if self._is_reading:
            self._again = True
            return
        self._is_reading = True
        self._run(self._read(self._reader), "read proposed memories")

    @property
    def count(self) -> int:
        """How many wait."""
        return self.open.rowCount()

    @property
    def oldest(self) -> datetime | None:
        """Since when the oldest waits, aware UTC; None if none does."""
        first = self.open.item_at(0)
        return None if first is None else first.proposal.created_at

    def new_ones(self) -> tuple[ProposalDetails, ...]:
        """Return those against which nothing speaks: what *Accept all new* accepts."""
        return tuple(item for item in self.open.items() if item.is_new)

    def agent_name(self, agent_id: AgentId) -> str:
        """Return an agent's name; empty if there is none."""
        return next((one.spec.name for one in self._models.agents.items() if one.agent_id == agent_id), "")

    # --- decisions ------------------------------------------------------------------------------------------------

    def accept(self, item: ProposalDetails, text: str = "", file: MemoryFile | None = None) -> None:
        """Write a proposal, with the operator's text if there is one."""
        api, one = self._api, item.proposal
        if api is not None:
            words = translate("MemoryReview", "Remembered")
            self._decide(lambda: api.accept(one.proposal_id, one.version, text=text, file=file), words)

    def merge(self, item: ProposalDetails, text: str) -> None:
        """Give the nearest entry a text that says both."""
        api, one = self._api, item.proposal
        entry, file = item.nearest, item.nearest_file
        if api is not None and entry is not None and file is not None:
            words = translate("MemoryReview", "Merged")
            self._decide(lambda: api.merge(one.proposal_id, one.version, text=text, file=file, entry=entry), words)

    def reject(self, item: ProposalDetails) -> None:
        """Do not remember a proposal."""
        api, one = self._api, item.proposal
        if api is not None:
            words = translate("MemoryReview", "Not remembered")
            self._decide(lambda: api.reject(one.proposal_id, one.version), words)

    def never(self, item: ProposalDetails) -> None:
        """Reject all about a person, for good."""
        api, one = self._api, item.proposal
        if api is not None:
            words = translate("MemoryReview", "Nothing is proposed about this person any more")
            self._decide(lambda: api.never(one.proposal_id, one.version), words)

    def never_chat(self, item: ProposalDetails) -> None:
        """Reject all of a chat, for good."""
        api, one = self._api, item.proposal
        if api is not None:
            words = translate("MemoryReview", "Nothing of this chat is read any more")
            self._decide(lambda: api.never_chat(one.proposal_id, one.version), words)

    def accept_new(self) -> None:
        """Accept all against which nothing speaks, oldest first."""
        for item in self.new_ones():
            self.accept(item)

    def undo(self, proposal: Proposal) -> None:
        """Take a decision back."""
        api = self._api
        if api is not None:
            words = translate("MemoryReview", "It waits again")
            self._decide(lambda: api.undo(proposal.proposal_id), words, is_undo=True)

    def undo_last(self) -> None:
        """Take the newest decision of today back."""
        newest = self.closed.item_at(0)
        if newest is not None:
            self.undo(newest)

    @property
    def can_look(self) -> bool:
        """Whether conversations can be read now."""
        return self._extraction is not None and not self.is_looking

    def look_now(self) -> None:
        """Read what was said and not read yet, without waiting for rest."""
        extraction = self._extraction
        if extraction is None or self.is_looking:
            return

        async def look() -> None:
            try:
                await extraction.read_now()
            finally:
                self._models.bridge.deliver(self._looked)

        self.is_looking = True
        self.changed.emit()
        self._run(look(), "read conversations for memories")

    def _looked(self) -> None:
        self.is_looking = False
        self.changed.emit()

    # --- jobs -----------------------------------------------------------------------------------------------------

    def _decide(self, call: Callable[[], Awaitable[Proposal]], words: str, *, is_undo: bool = False) -> None:
        async def decide() -> None:
            proposal = await call()
            if not is_undo:
                self._models.bridge.deliver(lambda: self.decided.emit(words, proposal))

        self._run(decide(), "decide about a proposed memory")

    def _fail(self, words: str) -> None:
        self._is_reading = False
        self.failed.emit(words)
        self.changed.emit()

    async def _read(self, reader: ReviewReader) -> None:
        queue = await reader.load()
        self._models.bridge.deliver(lambda: self._take(queue))

    def _take(self, queue: ReviewQueue) -> None:
        self._is_reading = False
        self.open.fill(queue.open)
        self.closed.fill(queue.decided)
        self.changed.emit()
        if self._again:
            self._again = False
            self.refresh()

    def _receive(self, events: tuple[EngineEvent, ...]) -> None:
        if MemoryProposalsChanged in map(type, events):
            self.refresh()
