"""Departure times of sends: typing, the time to undo, quiet hours.

Functions that take a transaction run on the writer thread or on the reader thread.
"""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

from chimein_gui.domain.approvals import OPERATOR, Rule
from chimein_gui.domain.tasks import TaskKind

if TYPE_CHECKING:
    from datetime import date, time, tzinfo

    from chimein_gui.domain.approvals import Approval
    from chimein_gui.domain.chats import Chat, QuietHours
    from chimein_gui.domain.ids import AgentId
    from chimein_gui.domain.settings.preferences import Preferences
    from chimein_gui.engine.core.environment import TransactionEnvironment
    from chimein_gui.engine.ports import Transaction


def stoppable_s(approval: Approval, preferences: Preferences) -> float:
    """Return for how many seconds the decision can be taken back before the send leaves."""
    return _stoppable_s(approval.decided_by, preferences)


def _stoppable_s(by: str, preferences: Preferences) -> float:
    if by == Rule.AUTO_TRUST:
        return 0.0
    return preferences.countdown_s if by == Rule.COUNTDOWN_TRUST else preferences.undo_s


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
    if not approval.by_rule:
        return due_at
    return _after_quiet(tx.chats.settings_of(approval.chat_id).quiet_hours, approval.agent_id, due_at, environment)


def due_when_admitted(
    chat: Chat, kind: TaskKind, text: str, by: str, now: datetime, environment: TransactionEnvironment
) -> datetime:
    """Return when a send leaves that is decided as it is stored, and that no earlier step holds back; see `due_time`.

    Args:
        chat: The conversation as it is in this transaction.
        kind: Kind of the send.
        text: Its text.
        by: Who decides, as in `Approval.decided_by`.
        now: Aware UTC.
        environment: Preferences, time and the state of accounts.
    """
    due_at = _departure(kind, text, by, now, now, environment.preferences)
    return due_at if by == OPERATOR else _after_quiet(chat.settings.quiet_hours, chat.agent_id, due_at, environment)


def _after_quiet(
    hours: QuietHours | None, agent_id: AgentId, due_at: datetime, environment: TransactionEnvironment
) -> datetime:
    return due_at if hours is None else quiet_until(hours, environment.zone_of(agent_id), due_at) or due_at


def typing_s(approval: Approval, preferences: Preferences) -> float:
    """Return how long "typing…" is shown before a send, in seconds; 0 for steps other than messages."""
    return _typing_s(approval.kind, approval.text, preferences)


def _typing_s(kind: TaskKind, text: str, preferences: Preferences) -> float:
    if kind is TaskKind.SEND:
        return preferences.typing_s(text)
    return preferences.sticker_typing_s if kind is TaskKind.STICKER else 0.0


def earliest_departure(approval: Approval, settled_at: datetime, preferences: Preferences) -> datetime:
    """Return when an approved send leaves at the earliest: max(undo end, settled + typing).

    Args:
        approval: The send, decided.
        settled_at: When nothing but its own decision held it back any more.
        preferences: Undo, countdown and typing.
    """
    decided_at = approval.decided_at or settled_at
    return _departure(approval.kind, approval.text, approval.decided_by, decided_at, settled_at, preferences)


def _departure(
    kind: TaskKind, text: str, by: str, decided_at: datetime, settled_at: datetime, preferences: Preferences
) -> datetime:
    typed = settled_at + timedelta(seconds=_typing_s(kind, text, preferences))
    return max(typed, decided_at + timedelta(seconds=_stoppable_s(by, preferences)))


def quiet_until(hours: QuietHours | None, zone: tzinfo, now: datetime) -> datetime | None:
    """Return when the quiet that holds now ends, or None if it is not quiet.

    When the clocks change, a time of day may come twice or not at all; then the longer quiet counts.

    Args:
        hours: The chat's quiet hours; None = never quiet.
        zone: The agent's time zone, in which the hours are given.
        now: Aware UTC.

    Returns:
        Aware UTC, later than `now`; or None.
    """
    if hours is None or hours.begins == hours.ends:
        return None
    length = timedelta(days=1 if hours.ends < hours.begins else 0)
    today = now.astimezone(zone).date()
    ends: list[datetime] = []
    for began in (today - timedelta(days=1), today, today + timedelta(days=1)):
        begins_at = min(_instants(began, hours.begins, zone))
        ends_at = max(_instants(began + length, hours.ends, zone))
        if begins_at <= now < ends_at:
            ends.append(ends_at)
    return max(ends, default=None)


def _instants(day: date, at: time, zone: tzinfo) -> tuple[datetime, datetime]:
    """Return the two readings of a time of day in a zone, before and after a change of the clocks."""
    local = datetime.combine(day, at.replace(tzinfo=None), tzinfo=zone)
    return local.replace(fold=0).astimezone(UTC), local.replace(fold=1).astimezone(UTC)
