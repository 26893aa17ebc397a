"""Queries for the details of a card."""

from datetime import datetime

from chimein_gui.adapters.store.rows.effects import CALLS, call_of
from chimein_gui.adapters.store.rows.values import maybe_from_micros, to_micros
from chimein_gui.adapters.store.sql import Sql
from chimein_gui.domain.cards import DecisionCounts
from chimein_gui.domain.costs import ModelCall
from chimein_gui.domain.ids import AccountId, ChatId, MessageId, PeerId

DECIDED = "SELECT " + ", ".join(
    f"(SELECT COUNT(*) FROM decided_cards WHERE chat_id = ? AND outcome = '{outcome}' AND at >= ?)"
    for outcome in ("unchanged", "edited", "rejected")
)
"""One count each, because SQLite groups a range three times as slowly as it counts it."""

BETWEEN = f"""
SELECT {CALLS} FROM model_calls WHERE began_at >= ? AND began_at <= ? AND chat_id = ? ORDER BY began_at, call_id
"""
MESSAGES = """
SELECT COUNT(*), MIN(sent_at) FROM messages
WHERE account_id = ? AND peer_id = ? AND message_id BETWEEN ? AND ? AND is_service = 0
"""


class SqliteCardRows:
    """Implements `engine.ports.CardRows`."""

    def __init__(self, sql: Sql) -> None:
        self._sql = sql

    def calls_between(self, chat_id: ChatId, since: datetime, until: datetime) -> tuple[ModelCall, ...]:
        return tuple(map(call_of, self._sql.all(BETWEEN, to_micros(since), to_micros(until), chat_id)))

    def decisions_since(self, chat_id: ChatId, since: datetime) -> DecisionCounts:
        ((unchanged, edited, rejected),) = self._sql.all(DECIDED, *3 * (chat_id, to_micros(since)))
        return DecisionCounts(unchanged, edited, rejected)

    def messages_between(
        self, account_id: AccountId, peer_id: PeerId, low: MessageId, high: MessageId
    ) -> tuple[int, datetime | None]:
        ((count, oldest),) = self._sql.all(MESSAGES, account_id, peer_id, low, high)
        return count, maybe_from_micros(oldest)
