"""What view models may ask of the engine about a card: what stands beside it, and verbs that concern its whole plan."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from chimein_gui.domain.cards import CardDetails
    from chimein_gui.domain.ids import ApprovalId, ChatId, GraphId
    from chimein_gui.domain.notes import Note


class CardsConsole(Protocol):
    """Cards."""

    async def load(self, approval_id: ApprovalId) -> CardDetails:
        """Return everything a card shows beside its own snapshot; raises NotFoundError."""
        ...


class VariantsConsole(Protocol):
    """Other versions of a plan."""

    def stop(self, chat_id: ChatId) -> None:
        """Do not wait for the version that is being made in a chat."""
        ...

    async def choose(self, graph_id: GraphId) -> Note | None:
        """Put a version in the place of its plan; returns why that cannot be done, or None."""
        ...

    async def discard(self, graph_id: GraphId) -> Note | None:
        """Throw a version away; returns why that cannot be done, or None."""
        ...
