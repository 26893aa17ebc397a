"""The trace of a plan while it is made; it is stored in the transaction that ends the plan."""

from __future__ import annotations

from typing import TYPE_CHECKING

from chimein_gui.domain.costs import ModelCall
from chimein_gui.domain.spending.caps import NOBODY

if TYPE_CHECKING:
    from chimein_gui.domain.ids import GraphId
    from chimein_gui.domain.prompt.prompts import Prompt
    from chimein_gui.domain.spending.caps import Payer
    from chimein_gui.domain.traces.entries import TraceEntry


class PlanTrace:
    """The trace of one plan. Its model calls are to be booked in the cost ledger, each once.

    Attributes:
        prompts: The calls with their prompts, oldest first.
        reply: What the model wants to send, once it is known.
        graph_id: The plan that came of it; set in the transaction that stores the plan.
        payer: For whom its calls are made.
    """

    def __init__(self, payer: Payer = NOBODY) -> None:
        self.payer = payer
        self.prompts: list[tuple[ModelCall, Prompt]] = []
        self.reply = ""
        self.graph_id: GraphId | None = None
        self._entries: list[TraceEntry] = []
        self._unbooked: list[ModelCall] = []

    @property
    def entries(self) -> tuple[TraceEntry, ...]:
        """Return all entries, oldest first."""
        return tuple(self._entries)

    @property
    def unbooked(self) -> tuple[ModelCall, ...]:
        """Return the calls that are not booked yet, oldest first."""
        return tuple(self._unbooked)

    def note(self, entry: TraceEntry) -> None:
        """Add an entry."""
        self._entries.append(entry)
        if isinstance(entry, ModelCall):
            self._unbooked.append(entry)

    def take_unbooked(self) -> tuple[ModelCall, ...]:
        """Return the calls that are not booked yet and mark them as booked; the caller stores them."""
        taken = self.unbooked
        self._unbooked.clear()
        return taken

    def restore_unbooked(self, calls: tuple[ModelCall, ...]) -> None:
        """Mark taken calls as not booked, because they could not be stored."""
        self._unbooked[:0] = calls
