"""Departure times of sends: typing, the time to undo, quiet hours.

Functions that take a transaction run on the writer thread or on the reader thread.
"""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING

from chimein_gui.domain.approvals import Rule
from chimein_gui.domain.tasks import TaskKind
from chimein_gui.engine.policy.trust import quiet_until

if TYPE_CHECKING:
    from datetime import datetime

    from chimein_gui.domain.approvals import Approval
    from chimein_gui.domain.settings.preferences import Preferences
    from chimein_gui.engine.core.environment import TransactionEnvironment
    from chimein_gui.engine.ports import Transaction


def stoppable_s(approval: Approval, preferences: Preferences) -> float:
    """Return for how many seconds the decision can be taken back before the send leaves."""
    if approval.decided_by == Rule.AUTO_TRUST:
        return 0.0
    return preferences.countdown_s if approval.decided_by == Rule.COUNTDOWN_TRUST else preferences.undo_s


def due_time(
    tx: Transaction, approval: Approval, settled_at: datetime, environment: TransactionEnvironment
) -> datetime:
    """Return when a decided send leaves: after undo and typing, and outside quiet hours if it is automatic.

    Args:
        tx: The transaction.
        approval: The send, decided.
        settled_at: When nothing but its own decision held it back any more.
        environment: Preferences, time and the state of accounts.
    """
    due_at = earliest_departure(approval, settled_at, environment.preferences)
    hours = tx.chats.settings_of(approval.chat_id).quiet_hours if approval.by_rule else None
    return quiet_until(hours, environment.zone_of(approval.agent_id), due_at) or due_at


def typing_s(approval: Approval, preferences: Preferences) -> float:
    """Return how long "typing…" is shown before a send, in seconds; 0 for steps other than messages."""
    if approval.kind is TaskKind.SEND:
        return preferences.typing_s(approval.text)
    return preferences.sticker_typing_s if approval.kind is TaskKind.STICKER else 0.0


def earliest_departure(approval: Approval, settled_at: datetime, preferences: Preferences) -> datetime:
    """Return when an approved send leaves at the earliest: max(undo end, settled + typing).

    Args:
        approval: The send, decided.
        settled_at: When nothing but its own decision held it back any more.
        preferences: Undo, countdown and typing.
    """
    typed = settled_at + timedelta(seconds=typing_s(approval, preferences))
    decided_at = approval.decided_at or settled_at
    return max(typed, decided_at + timedelta(seconds=stoppable_s(approval, preferences)))
