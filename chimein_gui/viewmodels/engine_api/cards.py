"""What view models may ask of the engine about a card: what stands beside it, and verbs that concern its whole plan."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from collections.abc import Sequence

    from chimein_gui.domain.approvals import Approval, Outcome
    from chimein_gui.domain.cards import CardDetails
    from chimein_gui.domain.ids import ApprovalId, ChatId, GraphId


class CardsConsole(Protocol):
    """Cards."""

    async def load(self, approval_id: ApprovalId) -> CardDetails:
        """Return everything a card shows beside its own snapshot; raises NotFoundError."""
        ...

    async def approve_plan(self, items: Sequence[Approval], *, client_id: str) -> tuple[Outcome, ...]:
        """Approve the cards of a plan as they are on the screen; what always asks and what is stale is refused."""
        ...


class VariantsConsole(Protocol):
    """Other versions of a plan."""

    def stop(self, chat_id: ChatId) -> None:
        """Do not wait for the version that is being made in a chat."""
        ...

    async def choose(self, graph_id: GraphId) -> str:
        """Put a version in the place of its plan; returns why that cannot be done, or an empty string."""
        ...

    async def discard(self, graph_id: GraphId) -> str:
        """Throw a version away; returns why that cannot be done, or an empty string."""
        ...
