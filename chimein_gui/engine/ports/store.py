"""Port for the database: transactions and durability."""

from __future__ import annotations

from collections.abc import Callable
from enum import StrEnum
from typing import Protocol, TypeVar

from chimein_gui.domain.ids import Revision
from chimein_gui.engine.ports.row_sets.cards import CardRows, DecisionRows
from chimein_gui.engine.ports.row_sets.conversations import AgentRows, ChatRows, MessageRows
from chimein_gui.engine.ports.row_sets.media import MediaRows
from chimein_gui.engine.ports.row_sets.people import PeopleRows
from chimein_gui.engine.ports.row_sets.plans import (
    ApprovalRows,
    GraphRows,
    LedgerRows,
    PlanEditRows,
    RetentionRows,
    TaskRows,
)
from chimein_gui.engine.ports.row_sets.policy import (
    AccountRows,
    EffectRows,
    HoldRows,
    MemoryOrderRows,
    PromptRows,
    SavedEditRows,
    WaitRows,
)
from chimein_gui.engine.ports.row_sets.proposals import ProposalRows
from chimein_gui.engine.ports.row_sets.spending import SpendingRows
from chimein_gui.engine.ports.row_sets.traces import TraceRows
from chimein_gui.engine.ports.row_sets.transcripts import SearchRows, TranscriptRows

T = TypeVar("T")


class Durability(StrEnum):
    """Durability of a commit (docs/behaviour.md, "Storing first")."""

    NORMAL = "normal"
    """Survives a killed process, but perhaps not a power failure."""
    FULL = "full"
    """Survives a power failure; for everything that decides whether something was sent."""


class Transaction(Protocol):
    """One transaction; exists only on a store thread and must not be kept.

    Reads see earlier writes of the transaction. An exception rolls back only this transaction. In `Store.read` the rows
    are one consistent snapshot and writing raises StoreError.
    """

    revision: Revision
    """In `transact`: the number this transaction gets at its commit. In `read`: the newest committed number."""

    agents: AgentRows
    chats: ChatRows
    messages: MessageRows
    transcripts: TranscriptRows
    search: SearchRows
    graphs: GraphRows
    tasks: TaskRows
    plan_edits: PlanEditRows
    approvals: ApprovalRows
    ledger: LedgerRows
    holds: HoldRows
    waits: WaitRows
    accounts: AccountRows
    saved_edits: SavedEditRows
    effects: EffectRows
    spending: SpendingRows
    memory_orders: MemoryOrderRows
    cards: CardRows
    decisions: DecisionRows
    media: MediaRows
    prompts: PromptRows
    traces: TraceRows
    proposals: ProposalRows
    retention: RetentionRows
    people: PeopleRows


class Store(Protocol):
    """The database: one writer thread that commits everything queued together, one reader thread."""

    async def transact(self, work: Callable[[Transaction], T], *, durability: Durability = ...) -> T:
        """Run `work` in its own savepoint on the writer thread and return after the commit.

        Transactions run in the order of the calls. Cancelling the caller does not cancel the work.

        Raises:
            StoreWriteError: Nothing of it is stored.
            Exception: An exception of `work`; its changes are rolled back, others of the batch are kept.
        """
        ...

    def submit(self, work: Callable[[Transaction], object], *, durability: Durability = ...) -> None:
        """Queue `work` for the writer thread, for callers that are being cancelled; a failure is logged."""
        ...

    async def read(self, work: Callable[[Transaction], T]) -> T:
        """Run `work` on the reader thread against one consistent snapshot."""
        ...

    async def compact(self) -> None:
        """Write the whole file anew, so that nothing is left of what was deleted; nothing else is written meanwhile.

        Raises:
            StoreWriteError: It can't be done, as there must be room for a second copy; nothing has changed.
        """
        ...

    async def aclose(self) -> None:
        """Finish everything queued, then close; a second call has no effect."""
        ...
