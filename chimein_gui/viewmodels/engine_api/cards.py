"""Engine protocols for a card: its details, and the versions of its plan."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from chimein_gui.domain.cards import CardDetails
    from chimein_gui.domain.ids import ApprovalId, ChatId, GraphId
    from chimein_gui.domain.notes import Note


class CardsConsole(Protocol):
    """Details of planned sends."""

    async def load(self, approval_id: ApprovalId) -> CardDetails:
        """Return what a card shows besides its own snapshot; raises NotFoundError."""
        ...


class VariantsConsole(Protocol):
    """Other versions of a plan."""

    def stop(self, chat_id: ChatId) -> None:
        """Cancel the version that is being generated in a chat; its cost is booked and nothing is stored."""
        ...

    async def choose(self, graph_id: GraphId) -> Note | None:
        """Replace a plan by this version; returns why it cannot be chosen, or None."""
        ...

    async def discard(self, graph_id: GraphId) -> Note | None:
        """Delete a version; returns why it cannot be deleted, or None."""
        ...
