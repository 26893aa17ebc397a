"""What stands beside a card, in the database."""

from datetime import datetime

from chimein_gui.adapters.store.rows_effects import CALLS, call_of
from chimein_gui.adapters.store.sql import Sql
from chimein_gui.adapters.store.values import maybe_from_micros, to_micros
from chimein_gui.domain.cards import DecisionCounts
from chimein_gui.domain.costs import ModelCall
from chimein_gui.domain.ids import AccountId, ChatId, MessageId, PeerId

DECIDED = """
SELECT a.state = 'rejected', a.text <> a.draft_text, COUNT(DISTINCT a.approval_id)
FROM decisions d INDEXED BY decisions_of_chat JOIN approvals a ON a.approval_id = d.approval_id
WHERE d.chat_id = ? AND d.at >= ? AND d.decided_by = 'operator' AND d.verdict = 'accepted'
    AND d.decision IN ('Approve', 'ApproveEdited', 'Reject', 'RejectPlan') AND a.state IN ('approved', 'rejected')
GROUP BY 1, 2
"""
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
        """Return a chat's model calls that began from `since` to `until`, oldest first."""
        return tuple(map(call_of, self._sql.all(BETWEEN, to_micros(since), to_micros(until), chat_id)))

    def decisions_since(self, chat_id: ChatId, since: datetime) -> DecisionCounts:
        """Count what the operator decided in a chat since then; of several decisions on one card the last counts."""
        unchanged = edited = rejected = 0
        for was_rejected, was_edited, count in self._sql.all(DECIDED, chat_id, to_micros(since)):
            if was_rejected:
                rejected += count
            elif was_edited:
                edited += count
            else:
                unchanged += count
        return DecisionCounts(unchanged, edited, rejected)

    def messages_between(
        self, account_id: AccountId, peer_id: PeerId, low: MessageId, high: MessageId
    ) -> tuple[int, datetime | None]:
        """Count a chat's messages from `low` to `high`; also when the oldest of them was sent, aware UTC."""
        ((count, oldest),) = self._sql.all(MESSAGES, account_id, peer_id, low, high)
        return count, maybe_from_micros(oldest)
