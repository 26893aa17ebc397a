"""The quiet window: how long a chat waits for more before its plan is made (docs/behaviour.md, "The quiet window").

Functions that take a transaction run on the writer thread.
"""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from typing import TYPE_CHECKING

from chimein_gui.domain.chats import ChatKind, TriggerMode
from chimein_gui.domain.tasks import TaskKind, TaskStatus

if TYPE_CHECKING:
    from datetime import datetime

    from chimein_gui.domain.chats import Chat
    from chimein_gui.domain.ids import MessageId
    from chimein_gui.domain.settings.preferences import Preferences
    from chimein_gui.engine.core.environment import TransactionEnvironment
    from chimein_gui.engine.ports import TaskRow, Transaction

TYPING_SHOWN_S = 6.0
"""How long one typing update counts; Telegram repeats it every 5 s."""


def quiet_s(preferences: Preferences, chat: Chat) -> float:
    """Return how long nothing may come before a plan is made: shorter in groups where callouts trigger."""
    is_called = chat.info.kind is not ChatKind.DM and chat.settings.triggers is not TriggerMode.EVERY
    return preferences.callout_debounce_s if is_called else preferences.debounce_s


def window_ends_at(preferences: Preferences, chat: Chat, began_at: datetime, now: datetime) -> datetime:
    """Return when a chat is due whose newest trigger came now, and the first of them when the window began."""
    latest = began_at + timedelta(seconds=preferences.longest_debounce_s)
    return min(now + timedelta(seconds=quiet_s(preferences, chat)), max(latest, now))


def open_window(
    tx: Transaction, chat: Chat, trigger_ids: tuple[MessageId, ...], environment: TransactionEnvironment
) -> datetime | None:
    """Note triggers in the chat's one `received` task, which is opened if there is none.

    One without a window waits for something else, such as the next attempt, and keeps that time: a new message must
    not cut a 429 short. Where the window outlasts that, it begins, so that it has its limit.
    A plan in the making only hears of the triggers; whoever makes it looks at them.

    Returns:
        When the chat is due, aware UTC; None while its plan is in the making.
    """
    now = environment.now()
    received = tx.tasks.open_received(chat.chat_id)
    if received is None:
        due = window_ends_at(environment.preferences, chat, now, now)
        tx.tasks.add(
            chat.chat_id,
            TaskKind.RECEIVED,
            TaskStatus.WAITING,
            trigger_ids=trigger_ids,
            due_at=due,
            window_began_at=now,
        )
        return due
    if received.status is TaskStatus.RUNNING:
        tx.tasks.save(replace(received, trigger_ids=trigger_ids))
        return None
    began_at = received.window_began_at
    due = window_ends_at(environment.preferences, chat, began_at or now, now)
    if began_at is None and received.due_at is not None and due < received.due_at:
        due = received.due_at
    else:
        began_at = began_at or now
    tx.tasks.save(replace(received, trigger_ids=trigger_ids, due_at=due, window_began_at=began_at))
    return due


def extend_for_typing(tx: Transaction, chat: Chat, environment: TransactionEnvironment) -> TaskRow | None:
    """The partner of a DM types: wait for it, up to the limit; returns the `received` task if its time has changed."""
    received = tx.tasks.open_received(chat.chat_id)
    if received is None or received.status is TaskStatus.RUNNING or received.due_at is None:
        return None
    if chat.info.kind is not ChatKind.DM or received.window_began_at is None:
        return None
    limit = received.window_began_at + timedelta(seconds=environment.preferences.longest_debounce_s)
    due = min(environment.now() + timedelta(seconds=TYPING_SHOWN_S), limit)
    if due <= received.due_at:
        return None
    extended = replace(received, due_at=due)
    tx.tasks.save(extended)
    return extended
