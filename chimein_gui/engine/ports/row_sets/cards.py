"""The row sets by which the window reads what stands beside a card, and the decision log."""

from __future__ import annotations

from datetime import datetime
from typing import Protocol

from chimein_gui.domain.cards import DecisionCounts
from chimein_gui.domain.costs import ModelCall
from chimein_gui.domain.ids import AccountId, ChatId, MessageId, PeerId
from chimein_gui.domain.plans.decision_log import (
    DecisionFilter,
    DecisionShare,
    DecisionTotals,
    LoggedDecision,
    LogPage,
    LogPosition,
)


class CardRows(Protocol):
    """Counts and calls of one chat; for reading only."""

    def calls_between(self, chat_id: ChatId, since: datetime, until: datetime) -> tuple[ModelCall, ...]:
        """Return a chat's model calls that began from `since` to `until`, oldest first."""
        ...

    def decisions_since(self, chat_id: ChatId, since: datetime) -> DecisionCounts:
        """Count what the operator decided in a chat since then; of several decisions on one card the last counts."""
        ...

    def messages_between(
        self, account_id: AccountId, peer_id: PeerId, low: MessageId, high: MessageId
    ) -> tuple[int, datetime | None]:
        """Count a chat's messages from `low` to `high`; also when the oldest of them was sent, aware UTC."""
        ...


class DecisionLogRows(Protocol):
    """The decision log; for reading only."""

    def page(self, wanted: DecisionFilter, after: LogPosition | None, limit: int) -> LogPage:
        """Return at most `limit` decisions, newest first; a read looks at a bounded part of the log."""
        ...

    def of_message(self, chat_id: ChatId, message_id: MessageId) -> LoggedDecision | None:
        """Return the decision by which a message of a chat left; None for one that no plan wrote."""
        ...

    def totals(self, wanted: DecisionFilter) -> DecisionTotals:
        """Count the decisions of a filter, whose text is not looked at; of an agent, if no chat is named."""
        ...

    def shares(self, wanted: DecisionFilter) -> tuple[DecisionShare, ...]:
        """Count the decisions of each chat; of a filter only agent, chat and time are looked at."""
        ...
