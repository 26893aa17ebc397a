"""What view models may ask of the engine about decisions of the past, and the rules that decide."""

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


class DecisionLogConsole(Protocol):
    """The decision log."""

    async def page(self, wanted: DecisionFilter, after: LogPosition | None = ..., *, limit: int = ...) -> LogPage:
        """Return the next decisions of a filter, newest first; fewer than `limit` only at the end of the log."""
        ...

    async def of_message(self, chat_id: ChatId, message_id: MessageId) -> LoggedDecision | None:
        """Return the decision by which a message of a chat left; None for one that no plan wrote."""
        ...

    async def totals(self, wanted: DecisionFilter) -> DecisionTotals:
        """Count what a filter shows."""
        ...

    async def shares(self, wanted: DecisionFilter) -> tuple[DecisionShare, ...]:
        """Count for each agent and its busiest chats; of a filter only agent, chat and time are looked at."""
        ...

    async def export(self, wanted: DecisionFilter, path: Path, progress: Callable[[int], None] = ...) -> int:
        """Write what a filter shows into a file, JSON or CSV by its name; returns how many decisions.

        Raises:
            OSError: The file could not be written; what was there before is as it was.
        """
        ...


class TrustRulesConsole(Protocol):
    """The rules that send without the operator."""

    async def revoke(self, chat_id: ChatId, level: TrustLevel) -> RevokedRule:
        """Let nothing leave a chat automatically any more; for an agent's rule, none of its chats without their own.

        Raises:
            RefusedError: The level is another than this one by now; nothing has changed.
        """
        ...

    async def restore(self, revoked: RevokedRule) -> None:
        """Set a revoked rule again, with the end that it had; refused if something else was set in the meantime."""
        ...


class HistoryConsole(Protocol):
    """That part of the engine that tells what was decided."""

    @property
    def decision_log(self) -> DecisionLogConsole:
        """What was decided, page by page."""
        ...

    @property
    def trust_rules(self) -> TrustRulesConsole:
        """Revokes the rules that send without the operator."""
        ...
