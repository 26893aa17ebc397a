"""The database, as the engine sees it: transactions and durability."""

from __future__ import annotations

from collections.abc import Callable
from enum import StrEnum
from typing import Protocol, TypeVar

from chimein_gui.domain.ids import Revision
from chimein_gui.engine.ports.row_sets.cards import CardRows, DecisionLogRows
from chimein_gui.engine.ports.row_sets.conversations import AgentRows, ChatRows, MessageRows
from chimein_gui.engine.ports.row_sets.plans import ApprovalRows, LedgerRows, RetentionRows, TaskRows
from chimein_gui.engine.ports.row_sets.policy import AccountRows, EffectRows, HoldRows, ShelfRows, WaitRows
from chimein_gui.engine.ports.row_sets.transcripts import SearchRows, TranscriptRows

T = TypeVar("T")


class Durability(StrEnum):
    """How hard a transaction is pressed onto the disk (docs/behaviour.md, "Storing first")."""

    NORMAL = "normal"
    """Survives a killed process, perhaps not a power cut."""
    FULL = "full"
    """Survives a power cut: whatever decides whether something was sent."""


class Transaction(Protocol):
    """One transaction; lives on a store thread and must not be kept.

    Reads and writes see each other; an exception undoes this transaction alone. Inside `Store.read` the rows
    are one consistent snapshot and writing raises StoreError.
    """

    revision: Revision
    """In `transact`: the number this transaction will have once committed. In `read`: the newest committed one."""

    agents: AgentRows
    chats: ChatRows
    messages: MessageRows
    transcripts: TranscriptRows
    search: SearchRows
    tasks: TaskRows
    approvals: ApprovalRows
    ledger: LedgerRows
    holds: HoldRows
    waits: WaitRows
    accounts: AccountRows
    shelf: ShelfRows
    effects: EffectRows
    cards: CardRows
    decisions: DecisionLogRows
    retention: RetentionRows


class Store(Protocol):
    """The database: one writer thread that commits everything queued together, one reader thread."""

    async def transact(self, work: Callable[[Transaction], T], *, durability: Durability = ...) -> T:
        """Run `work` in its own savepoint on the writer thread and return after the commit.

        Transactions run in the order of the calls. Cancelling the caller does not take the work back.

        Raises:
            StoreWriteError: Nothing of it is stored.
            Exception: Whatever `work` raised; its changes are undone, others of the batch are kept.
        """
        ...

    def submit(self, work: Callable[[Transaction], object], *, durability: Durability = ...) -> None:
        """Queue `work` without waiting, for callers that are being cancelled; a failure is logged."""
        ...

    async def read(self, work: Callable[[Transaction], T]) -> T:
        """Run `work` on the reader thread against one consistent snapshot."""
        ...

    async def aclose(self) -> None:
        """Finish everything queued, then close; calling it twice is harmless."""
        ...
