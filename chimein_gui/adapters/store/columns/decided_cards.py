"""The table of decided cards and their outcome since; it makes frequent counts cheap."""

from chimein_gui.adapters.store.memo import chat_scope
from chimein_gui.adapters.store.rows.values import Row, to_micros
from chimein_gui.adapters.store.sql import Sql
from chimein_gui.domain.approvals import Approval, Approve, ApproveEdited, Reject, RejectPlan, Verdict
from chimein_gui.domain.ids import ApprovalId, ChatId
from chimein_gui.domain.tasks import ApprovalState
from chimein_gui.engine.ports import DecisionRecord

COUNTED = frozenset(one.__name__ for one in (Approve, ApproveEdited, Reject, RejectPlan))
STANDING = "SELECT state, text <> draft_text FROM approvals WHERE approval_id = ?"
DECIDED = """
INSERT INTO decided_cards (approval_id, chat_id, at, outcome) VALUES (?, ?, ?, ?)
ON CONFLICT (approval_id) DO UPDATE SET at = max(at, excluded.at), outcome = excluded.outcome
"""
ONE = "SELECT outcome FROM decided_cards CROSS JOIN approvals USING (approval_id) WHERE approval_id = ?"
"""Never run: under it stands what is known of a card that was just added, until another one is."""
CHANGED = "UPDATE decided_cards SET outcome = ? WHERE approval_id = ?"


def outcome_of(card: Approval) -> str:
    """Return the category in which a decided card is counted; empty if it was undone or superseded."""
    return _outcome(card.state.value, is_edited=card.text != card.draft_text)


def _outcome(state: str, *, is_edited: bool) -> str:
    if state == ApprovalState.REJECTED.value:
        return "rejected"
    if state != ApprovalState.APPROVED.value:
        return ""
    return "edited" if is_edited else "unchanged"


class DecidedCards:
    """Updates `decided_cards` with the decision log and the cards (writer thread)."""

    def __init__(self, sql: Sql) -> None:
        self._sql = sql

    def note(self, record: DecisionRecord, chat_id: ChatId | None) -> None:
        """Update the table for a logged decision."""
        counts = record.by == "operator" and record.verdict is Verdict.ACCEPTED and record.decision in COUNTED
        if not counts or chat_id is None:
            return
        approval_id = record.approval_id
        values = approval_id, chat_id, to_micros(record.at), self._standing(approval_id)
        self._sql.run(DECIDED, *values, scope=chat_scope(chat_id))

    def _standing(self, approval_id: ApprovalId) -> str:
        row = self._sql.one(STANDING, approval_id)
        return "" if row is None else _outcome(row[0], is_edited=bool(row[1]))

    def know_undecided(self, approval_id: ApprovalId, chat_id: ChatId) -> None:
        """Note that a card that was just added was never decided."""
        self._sql.know((), _outcome_of_row, ONE, approval_id, scope=chat_scope(chat_id))

    def follow(self, card: Approval) -> None:
        """Update the table for a saved card."""
        if self._sql.known(_outcome_of_row, ONE, card.approval_id) != ():
            self._sql.run(CHANGED, outcome_of(card), card.approval_id, scope=chat_scope(card.chat_id))


def _outcome_of_row(row: Row) -> str:
    return str(row[0])
