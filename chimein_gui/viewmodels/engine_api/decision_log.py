"""Engine protocols for past decisions, and for the rules that decide."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from chimein_gui.domain.approvals import RevokedRule
    from chimein_gui.domain.chats import TrustLevel
    from chimein_gui.domain.ids import ChatId, MessageId
    from chimein_gui.domain.plans.decision_log import (
        DecisionFilter,
        DecisionShare,
        DecisionTotals,
        LoggedDecision,
        LogPage,
        LogPosition,
    )


class DecisionLogService(Protocol):
    """The decision log."""

    async def page(self, wanted: DecisionFilter, after: LogPosition | None = ..., *, limit: int = ...) -> LogPage:
        """Return the next decisions of a filter, newest first; fewer than `limit` only at the end of the log."""
        ...

    async def of_message(self, chat_id: ChatId, message_id: MessageId) -> LoggedDecision | None:
        """Return the decision that sent a message of a chat; None for a message that no plan wrote."""
        ...

    async def totals(self, wanted: DecisionFilter) -> DecisionTotals:
        """Count the decisions of a filter."""
        ...

    async def shares(self, wanted: DecisionFilter) -> tuple[DecisionShare, ...]:
        """Count the decisions of each agent and its busiest chats; only agent, chat and time of the filter apply."""
        ...

    async def export(self, wanted: DecisionFilter, path: Path, progress: Callable[[int], None] = ...) -> int:
        """Write the decisions of a filter to a file, JSON or CSV by its suffix; returns their number.

        Raises:
            OSError: The file could not be written; an earlier file of that name is unchanged.
        """
        ...


class TrustRulesService(Protocol):
    """The rules that send without the operator."""

    async def revoke(self, chat_id: ChatId, level: TrustLevel) -> RevokedRule:
        """Stop automatic sends in a chat; an agent's rule is revoked for all its chats without their own.

        Raises:
            RefusedError: The level has changed meanwhile; nothing was revoked.
        """
        ...

    async def restore(self, revoked: RevokedRule) -> None:
        """Set a revoked rule again, with its earlier end; refused if another level was set meanwhile."""
        ...


class HistoryApi(Protocol):
    """The parts of the engine for past decisions."""

    @property
    def decision_log(self) -> DecisionLogService:
        """The past decisions."""
        ...

    @property
    def trust_rules(self) -> TrustRulesService:
        """Revokes and restores rules."""
        ...
