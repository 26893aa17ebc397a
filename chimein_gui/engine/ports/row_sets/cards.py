"""Row sets for the details of cards and the decision log in the window."""

from __future__ import annotations

from datetime import datetime
from typing import Protocol

from chimein_gui.domain.approvals import Approval
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
from chimein_gui.engine.ports.rows import DecisionRecord


class CardRows(Protocol):
    """Counts and calls of one chat; for reading only."""

    def calls_between(self, chat_id: ChatId, since: datetime, until: datetime) -> tuple[ModelCall, ...]:
        """Return a chat's model calls that began from `since` to `until`, oldest first."""
        ...

    def decisions_since(self, chat_id: ChatId, since: datetime) -> DecisionCounts:
        """Count the operator's decisions in a chat since then; of several on one card, only the last counts."""
        ...

    def messages_between(
        self, account_id: AccountId, peer_id: PeerId, low: MessageId, high: MessageId
    ) -> tuple[int, datetime | None]:
        """Return the number of a chat's messages from `low` to `high`, and when the oldest was sent, aware UTC."""
        ...


class DecisionRows(Protocol):
    """The decision log."""

    def last_of(self, approval: Approval) -> DecisionRecord | None:
        """Return the newest accepted decision on a card, by the operator or a rule, without postponements; or None."""
        ...

    def last_rejection(self, chat_id: ChatId, since: datetime) -> str:
        """Return the reason of the chat's newest rejection since then, or empty."""
        ...

    def add(self, record: DecisionRecord) -> None:
        """Append to the decision log."""
        ...

    def of_client(self, client_id: str) -> DecisionRecord | None:
        """Return the logged decision with this client id, or None."""
        ...

    def page(self, wanted: DecisionFilter, after: LogPosition | None, limit: int) -> LogPage:
        """Return at most `limit` decisions, newest first; each read examines a bounded part of the log."""
        ...

    def of_message(self, chat_id: ChatId, message_id: MessageId) -> LoggedDecision | None:
        """Return the decision by which a message of a chat was sent; None for one that no plan wrote."""
        ...

    def totals(self, wanted: DecisionFilter) -> DecisionTotals:
        """Count the decisions of a filter, ignoring its text; of an agent if it names no chat."""
        ...

    def shares(self, wanted: DecisionFilter) -> tuple[DecisionShare, ...]:
        """Count the decisions of each chat; only agent, chat and time of the filter are used."""
        ...
