"""Which messages trigger a plan, which of them are unanswered, and how long a chat waits for more messages.

Our agents stop answering each other after a few turns.
See docs/behaviour.md, "Who triggers a plan" and docs/behaviour.md, "The quiet window".

Functions that take a transaction run on the writer thread or on the reader thread.
"""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from typing import TYPE_CHECKING

from chimein_gui.domain.chats import ChatKind, TriggerMode, TrustLevel
from chimein_gui.domain.ids import AccountId, MessageId, PeerId
from chimein_gui.domain.messages import SERVICE_NOTIFICATIONS, MessageKey
from chimein_gui.domain.notes import Note, NoteKind
from chimein_gui.domain.tasks import TaskKind, TaskStatus
from chimein_gui.engine.triggers.mentions import CallNames, is_callout, names_of

if TYPE_CHECKING:
    from collections.abc import Collection
    from datetime import datetime

    from chimein_gui.domain.chats import Chat
    from chimein_gui.domain.messages import Message
    from chimein_gui.domain.settings.preferences import Preferences
    from chimein_gui.engine.core.environment import TransactionEnvironment
    from chimein_gui.engine.ports import TaskRow, Transaction

MOST_TURNS = 3
"""Maximum number of agent-to-agent turns in a row."""

_LOOKS_BACK = 200
"""Number of messages searched for one by a person; agents that write more without one have used up their turns."""

_NEAR_IN_ALBUM = 20
"""Number of messages before and after a part that are searched; an album has ten parts, others may be between."""


def other_parts(tx: Transaction, message: Message) -> tuple[Message, ...]:
    """Return the other stored parts of a message's album, oldest first; none if it is not in an album."""
    if message.grouped_id is None:
        return ()
    key = message.key
    earlier = tx.messages.before(key.account_id, key.peer_id, before_id=key.message_id, limit=_NEAR_IN_ALBUM)
    later = tx.transcripts.above(key.account_id, key.peer_id, above_id=key.message_id, limit=_NEAR_IN_ALBUM)
    return tuple(one for one in (*earlier, *later) if one.grouped_id == message.grouped_id)


def is_own_agent(tx: Transaction, chat: Chat, message: Message) -> bool:
    """Tell whether another agent of ours wrote a message."""
    sender = message.sender_id
    if message.out or sender is None or int(sender) == int(chat.info.account_id):
        return False
    return tx.agents.owner_of(AccountId(sender)) is not None


def may_answer_agent(tx: Transaction, chat: Chat, message: Message) -> bool:
    """Tell whether the agent may still answer this message of another agent of ours."""
    return turns_up_to(tx, chat, message.key.message_id) < MOST_TURNS


def turns_up_to(tx: Transaction, chat: Chat, message_id: MessageId) -> int:
    """Count the agent-to-agent turns in a row up to a message, itself included, since a person wrote.

    A turn is what one agent writes before another does; the first one answers the person, or opens the conversation.
    It is counted from stored messages, so that a restart does not reset it. Bots, channel posts and anonymous admins
    neither count nor reset.
    """
    account, peer = chat.info.account_id, chat.info.peer_id
    recent = tx.messages.before(account, peer, before_id=MessageId(message_id + 1), limit=_LOOKS_BACK)
    agents: dict[int, bool] = {int(account): True}
    runs, last = 0, 0
    for message in reversed(recent):
        sender = int(account) if message.out else message.sender_id
        if message.is_service or sender is None:
            continue
        if sender not in agents:
            agents[sender] = tx.agents.owner_of(AccountId(sender)) is not None
        if not agents[sender]:
            if message.is_bot:
                continue
            return max(0, runs - 1)
        runs += sender != last
        last = sender
    return max(0, runs - 1)


def note_turns(tx: Transaction, chat: Chat, message: Message) -> None:
    """Update `Chat.agent_turns` after a new message."""
    if chat.agent_turns == 0 and not is_own_agent(tx, chat, message):
        return
    turns = turns_up_to(tx, chat, message.key.message_id)
    if turns != chat.agent_turns:
        tx.chats.set_agent_turns(chat.chat_id, turns)


REWRITTEN = Note(NoteKind.REWRITTEN)
"""Reason of a running `received` task whose prompt is outdated."""

MOST_TRIGGERS = 50
"""Maximum number of unanswered messages of a plan; older ones are in the history anyway."""

_GROUP_LOOKS_BACK = 300
"""Number of messages of a group that are searched for callouts."""


def mode_of(chat: Chat) -> TriggerMode:
    """Return which messages of a chat trigger a plan; a DM has no callouts."""
    if chat.info.kind is ChatKind.DM:
        return TriggerMode.NEVER if chat.settings.triggers is TriggerMode.NEVER else TriggerMode.EVERY
    if chat.info.kind is ChatKind.CHANNEL:
        return TriggerMode.NEVER
    return chat.settings.triggers or TriggerMode.CALLOUTS


def is_heard(chat: Chat) -> bool:
    """Tell whether any message of a chat can trigger a plan."""
    if chat.trust is TrustLevel.OFF or not chat.may_write or mode_of(chat) is TriggerMode.NEVER:
        return False
    # Saved Messages, and Telegram's own service account.
    return int(chat.info.peer_id) not in {int(chat.info.account_id), int(SERVICE_NOTIFICATIONS)}


def triggers(tx: Transaction, chat: Chat, message: Message, names: CallNames | None = None) -> bool:
    """Tell whether a message triggers a plan. The caller must not pass edits.

    Messages of blocked people do not trigger in groups; in DMs Telegram does not deliver them.

    Args:
        tx: A transaction, reading or writing; the message is stored.
        chat: The conversation.
        message: The message.
        names: The names of the agent in groups, if they were looked up already.
    """
    return _calls(tx, chat, message, names) and not is_ignored(tx, chat, message)


def _is_callout(
    tx: Transaction, chat: Chat, message: Message, parts: tuple[Message, ...], names: CallNames | None
) -> bool:
    """Tell whether a message, or another part of its album, speaks to the agent; an edit makes no callout."""
    said = (part for part in parts if not part.deleted and part.edited_at is None)
    return any(is_callout(tx, chat, one, names) for one in (message, *said))


def is_ignored(tx: Transaction, chat: Chat, message: Message) -> bool:
    """Tell whether the author of a group's message is blocked by this account, as far as known."""
    if chat.info.kind is not ChatKind.GROUP or message.sender_id is None:
        return False
    return tx.accounts.has_blocked(chat.info.account_id, PeerId(message.sender_id))


def hangs_on_block(tx: Transaction, chat: Chat, message: Message) -> bool:
    """Tell whether a message, which does not trigger as far as is known, would if its author were not blocked."""
    return is_ignored(tx, chat, message) and _calls(tx, chat, message)


def _calls(tx: Transaction, chat: Chat, message: Message, names: CallNames | None = None) -> bool:
    if message.out or message.deleted or message.is_service or message.key.message_id <= chat.planned_up_to:
        return False
    # Without a sender it is by an anonymous admin or a channel.
    if message.sender_id in {None, SERVICE_NOTIFICATIONS} or not is_heard(chat):
        return False
    if message.is_bot and not chat.settings.allow_bots:
        return False
    parts = other_parts(tx, message)
    is_answered = bool(parts) and any(part.key.message_id <= chat.planned_up_to for part in parts)
    is_chatter = mode_of(chat) is TriggerMode.CALLOUTS and not _is_callout(tx, chat, message, parts, names)
    if is_answered or is_chatter:
        return False
    if not is_own_agent(tx, chat, message):
        return True
    return chat.settings.allow_agents and may_answer_agent(tx, chat, message)


def hangs_on_parent(tx: Transaction, chat: Chat, message: Message) -> bool:
    """Tell whether a message, which does not trigger as far as is known, would if it answered one of the agent's.

    The answered message is not stored, because it is older than the fetched history.
    """
    if message.reply_to_id is None or message.out or mode_of(chat) is not TriggerMode.CALLOUTS:
        return False
    if tx.messages.get(replace(message.key, message_id=message.reply_to_id)) is not None:
        return False
    return triggers(tx, chat, replace(message, mentioned=True))


def unanswered(tx: Transaction, chat: Chat, also: Collection[MessageId] = ()) -> tuple[MessageId, ...]:
    """Return the unanswered triggers, oldest first; the last is the target.

    A callout stays one: a message for which a plan was made counts until it is answered. An edit that adds or removes
    the agent's name changes nothing.

    Args:
        tx: A transaction, reading or writing.
        chat: The conversation.
        also: Messages of a group that are known to be callouts, though no plan was made for them yet.
    """
    if not is_heard(chat):
        return ()
    if chat.info.kind is ChatKind.DM:
        return _triggering(tx, chat, frozenset(), MOST_TRIGGERS)
    known = _known_triggers(tx, chat).union(also)
    found = _triggering(tx, chat, known, _GROUP_LOOKS_BACK)
    missing = known.difference(found)
    return tuple(sorted({*found, *(number for number in missing if _is_open(tx, chat, number))}))[-MOST_TRIGGERS:]


def _triggering(tx: Transaction, chat: Chat, known: frozenset[MessageId], limit: int) -> tuple[MessageId, ...]:
    account, peer = chat.info.account_id, chat.info.peer_id
    recent = tx.messages.incoming_above(account, peer, above_id=chat.planned_up_to, limit=limit)
    is_group = chat.info.kind is not ChatKind.DM
    names = names_of(tx, chat) if recent and mode_of(chat) is TriggerMode.CALLOUTS else None

    def counts(message: Message) -> bool:
        if message.key.message_id in known and not message.deleted:
            return not is_ignored(tx, chat, message)
        return not (is_group and message.edited_at is not None) and triggers(tx, chat, message, names)

    return tuple([message.key.message_id for message in recent if counts(message)])


def _is_open(tx: Transaction, chat: Chat, number: MessageId) -> bool:
    """Tell whether a callout, which may be old, exists and is unanswered."""
    if number <= chat.planned_up_to:
        return False
    message = tx.messages.get(MessageKey(chat.info.account_id, chat.info.peer_id, number))
    return message is not None and not message.deleted and not is_ignored(tx, chat, message)


def _known_triggers(tx: Transaction, chat: Chat) -> frozenset[MessageId]:
    received, graph = tx.tasks.open_received(chat.chat_id), tx.graphs.current_of(chat.chat_id)
    known = received.trigger_ids if received is not None else ()
    return frozenset((*known, *(graph.trigger_ids if graph is not None else ())))


TYPING_SHOWN_S = 6.0
"""How long one typing update is valid; Telegram repeats it every 5 s."""


def quiet_s(preferences: Preferences, chat: Chat) -> float:
    """Return the length of the quiet window in seconds; it is shorter in groups where callouts trigger."""
    is_called = chat.info.kind is not ChatKind.DM and chat.settings.triggers is not TriggerMode.EVERY
    return preferences.callout_debounce_s if is_called else preferences.debounce_s


def window_ends_at(preferences: Preferences, chat: Chat, began_at: datetime, now: datetime) -> datetime:
    """Return when a chat is due whose newest trigger came at `now`, and its first one at `began_at`."""
    latest = began_at + timedelta(seconds=preferences.longest_debounce_s)
    return min(now + timedelta(seconds=quiet_s(preferences, chat)), max(latest, now))


def open_window(
    tx: Transaction, chat: Chat, trigger_ids: tuple[MessageId, ...], environment: TransactionEnvironment
) -> TaskRow:
    """Add triggers to the chat's one `received` task, which is created if there is none.

    A task without a window waits for something else, such as the next attempt, and keeps its time: a new message must
    not shorten a 429. A window that ends later than that begins now.
    To a task whose plan is being made the triggers are only added; the planner handles them.

    Returns:
        The task; the chat is due when it is, unless it is running.
    """
    now = environment.now()
    received = tx.tasks.open_received(chat.chat_id)
    if received is None:
        due = window_ends_at(environment.preferences, chat, now, now)
        added = tx.tasks.add(
            chat.chat_id,
            TaskKind.RECEIVED,
            TaskStatus.WAITING,
            trigger_ids=trigger_ids,
            due_at=due,
            window_began_at=now,
        )
        return tx.tasks.get(added)
    if received.status is TaskStatus.RUNNING:
        received = replace(received, trigger_ids=trigger_ids)
        tx.tasks.save(received)
        return received
    began_at = received.window_began_at
    due = window_ends_at(environment.preferences, chat, began_at or now, now)
    if began_at is None and received.due_at is not None and due < received.due_at:
        due = received.due_at
    else:
        began_at = began_at or now
    received = replace(received, trigger_ids=trigger_ids, due_at=due, window_began_at=began_at)
    tx.tasks.save(received)
    return received


def extend_for_typing(tx: Transaction, chat: Chat, environment: TransactionEnvironment) -> TaskRow | None:
    """Extend the window of a DM while the partner types, up to the limit; returns the task if its time has changed."""
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
