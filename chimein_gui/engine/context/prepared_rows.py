"""Stored messages as rows for the choice of context; those of busy groups are prepared as messages come in.

Preparation saves most of the work at a trigger. It runs in a thread after the commit, so that storing and sending do
not wait for it. Prepared rows are a guess at the needs of the next trigger: the choice compares them with the database
and ignores rows that do not fit. Functions that take a transaction run on the reader thread, `self_identity` also on
the writer thread.
"""

from __future__ import annotations

import asyncio
import re
from dataclasses import dataclass, replace
from datetime import timedelta
from functools import lru_cache
from typing import TYPE_CHECKING

from chimein_gui.domain.agents import CONNECTED
from chimein_gui.domain.chats import ChatKind
from chimein_gui.domain.events import AgentChanged, MessageStored
from chimein_gui.engine.triggers.mentions import MENTION_NAME, is_called, names_of

if TYPE_CHECKING:
    from collections.abc import Iterable
    from datetime import datetime

    from chimein_gui.domain.agents import Agent
    from chimein_gui.domain.chats import Chat
    from chimein_gui.domain.context import HistoryRow, LinkModel, Prepared
    from chimein_gui.domain.events import EngineEvent
    from chimein_gui.domain.ids import AccountId, AgentId, ChatId, MessageId
    from chimein_gui.domain.messages import Message
    from chimein_gui.engine.ports import Clock, Spawn, Store, Transaction
    from chimein_gui.engine.triggers.mentions import CallNames

TAG = "bot"
"""Replaces the agent's names in rows, because the weights know a callout as ``@bot``."""

_MENTION = "mention"
"""Kind of the entity that mentions somebody by user name."""


@dataclass(frozen=True, slots=True)
class SelfIdentity:
    """The agent's identity in a chat; two agents in one group see the same people, but each has another identity.

    Attributes:
        key: The sender of its own rows.
        names: Its names: its user names without ``@``, its aliases, and `TAG`.
        called: Finds its names in a text; None without names.
    """

    key: str
    names: tuple[str, ...]
    called: re.Pattern[str] | None


def self_identity(tx: Transaction, chat: Chat) -> SelfIdentity:
    """Return the identity of a chat's agent."""
    names = names_of(tx, chat)
    called = tuple(filter(None, (*names.usernames, *names.aliases)))
    return SelfIdentity(str(int(names.account_id)), (*called, TAG), _finder(called))


@lru_cache(maxsize=64)
def _finder(names: tuple[str, ...]) -> re.Pattern[str] | None:
    """Return a pattern that finds names as whole words, the longest first, with the marks around them."""
    if not names:
        return None
    ordered = "|".join(re.escape(name) for name in sorted(names, key=len, reverse=True))
    return re.compile(rf"(?<!\w)@?(?:{ordered})(?!\w)\s?[,:，：]?", re.IGNORECASE)


def rows_of(messages: Iterable[Message], me: SelfIdentity) -> list[HistoryRow]:
    """Convert messages of one chat to rows, one each."""
    from chimein_gui.domain.context import HistoryRow

    return [
        HistoryRow(
            message_id=int(message.key.message_id),
            sent_at=message.sent_at.timestamp(),
            sender=me.key if message.out else _key_of(message),
            text=message.text if message.out or me.called is None else me.called.sub(f"@{TAG}", message.text),
            sender_name=message.sender_name,
            aliases=me.names if message.out else (),
            reply_to=None if message.reply_to_id is None else int(message.reply_to_id),
            thread_id=message.thread_id,
            is_bot=message.is_bot,
            is_service=message.is_service,
            out=message.out,
            media_kind="" if message.is_service else message.media_kind,
            edited=message.edited_at is not None,
            deleted=message.deleted,
            forwarded=message.forward is not None,
            mentions=_mentions(message) if message.entities else (),
        )
        for message in messages
    ]


def _key_of(message: Message) -> str:
    """Return the sender's user id; a sender without one, such as an anonymous admin, is identified by name."""
    return f"name {message.sender_name}" if message.sender_id is None else str(int(message.sender_id))


def _mentions(message: Message) -> tuple[str, ...]:
    """Return who is mentioned in a text: user ids, or user names without ``@``."""
    found = []
    units = message.text.encode("utf-16-le", "surrogatepass")
    for entity in message.entities:
        if entity.kind == MENTION_NAME and entity.argument:
            found.append(entity.argument)
        elif entity.kind == _MENTION:
            piece = units[2 * entity.offset : 2 * (entity.offset + entity.length)]
            found.append(piece.decode("utf-16-le", "replace").lstrip("@"))
    return tuple(name for name in found if name)


MOST_CHATS = 32
"""Maximum number of groups kept, mostly of one or two megabytes each; the one quiet the longest is dropped."""

MOST_WORDS = 200_000
"""Maximum number of words of all groups kept; long texts can make a group ten times as large."""

REBUILT_EVERY = timedelta(seconds=2)
"""Shortest interval at which a group is prepared anew, for groups with many edits."""


@dataclass(slots=True)
class _Group:
    """The prepared rows of one group.

    Attributes:
        me: The agent's identity there.
        names: The names that address the agent.
        latest: All rows.
        latest_id: Id of the newest row's message.
        before: The rows before the message `before_id`, with what that adds.
        before_id: The newest message that addresses the agent; without one, the newest message.
        calls: Whether `before_id` addresses the agent.
    """

    me: SelfIdentity
    names: CallNames
    latest: Prepared
    latest_id: int
    before: Prepared
    before_id: int
    calls: bool


class PreparedRows:
    """Keeps the rows of the busiest groups prepared; subscribes to messages on the bus."""

    def __init__(self, store: Store, clock: Clock, spawn: Spawn, model: LinkModel | None) -> None:
        """Create the service; without a model nothing is prepared."""
        self._store = store
        self._clock = clock
        self._spawn = spawn
        self._model = model
        self._groups: dict[ChatId, _Group] = {}
        self._pending: dict[ChatId, dict[MessageId, Message]] = {}
        self._rebuilt_at: dict[ChatId, datetime] = {}
        self._called: dict[AgentId, tuple[AccountId | None, tuple[str, ...], bool]] = {}
        self._names_since = 0
        self._working = False

    def agent_changed(self, event: EngineEvent) -> None:
        """Check whether the names that address an agent have changed."""
        assert isinstance(event, AgentChanged)
        self._look_at(event.agent)

    def message_stored(self, event: EngineEvent) -> None:
        """Note a message of a group; it is prepared shortly after."""
        assert isinstance(event, MessageStored)
        if self._model is None:
            return
        self._pending.setdefault(event.chat_id, {})[event.message.key.message_id] = event.message
        if not self._working:
            self._working = True
            self._spawn(self._work(), name="prepare context")

    def before(self, chat_id: ChatId, message_id: MessageId) -> Prepared | None:
        """Return the prepared rows before a message; None if there are none."""
        group = self._groups.get(chat_id)
        if group is None:
            return None
        if group.before_id == message_id:
            return group.before
        return group.latest if group.latest_id < message_id else None

    def forget(self) -> None:
        """Drop all rows, because the names that address an agent have changed; they are prepared again when needed."""
        self._names_since += 1
        self._groups.clear()
        self._rebuilt_at.clear()

    def _look_at(self, agent: Agent) -> None:
        """Drop the rows of an account that has its agent's aliases only now, at the end of its first log-in.

        A reconnect after a lost connection changes no names.
        """
        before = self._called.get(agent.agent_id)
        was_online = before is not None and before[2] and before[0] == agent.account_id
        called = (agent.account_id, agent.spec.aliases, was_online or agent.health in CONNECTED)
        if before != called:
            self._called[agent.agent_id] = called
            self.forget()

    async def _work(self) -> None:
        try:
            while self._pending:
                chat_id = next(iter(self._pending))
                try:
                    await self._take_in(chat_id, self._pending.pop(chat_id))
                except Exception:
                    self._groups.pop(chat_id, None)  # it lacks a message now; it is prepared anew when it is needed
                    raise
        finally:
            self._working = False

    async def _take_in(self, chat_id: ChatId, stored: dict[MessageId, Message]) -> None:
        group, since = self._groups.get(chat_id), self._names_since
        came = [stored[number] for number in sorted(stored)]
        if group is not None and came[0].key.message_id <= group.latest_id:
            came = _news(came, group)
        if group is None or (came and came[0].key.message_id <= group.latest_id) or any(one.deleted for one in came):
            self._groups.pop(chat_id, None)
            group = await self._rebuilt(chat_id)
        elif came:
            group = await asyncio.to_thread(self._grown, group, came)
        self._groups.pop(chat_id, None)
        if group is not None and since == self._names_since:
            self._keep(chat_id, group)

    def _keep(self, chat_id: ChatId, group: _Group) -> None:
        """Keep a group's rows and drop those that were kept the longest; this group stays, however large it is."""
        self._groups[chat_id] = group
        words = sum(one.latest.words for one in self._groups.values())
        while len(self._groups) > 1 and (len(self._groups) > MOST_CHATS or words > MOST_WORDS):
            words -= self._groups.pop(next(iter(self._groups))).latest.words

    async def _rebuilt(self, chat_id: ChatId) -> _Group | None:
        """Prepare a group from stored messages; None if that was just done, or if the chat is no group."""
        now = self._clock.now()
        last = self._rebuilt_at.get(chat_id)
        if last is not None and timedelta(0) <= now - last < REBUILT_EVERY:
            return None
        self._rebuilt_at[chat_id] = now
        while len(self._rebuilt_at) > MOST_CHATS:
            del self._rebuilt_at[next(iter(self._rebuilt_at))]
        found = await self._store.read(lambda tx: _stored(tx, chat_id))
        return None if found is None else await asyncio.to_thread(self._made, *found)

    def _made(self, chat: Chat, names: CallNames, me: SelfIdentity, messages: tuple[Message, ...]) -> _Group:
        """Return all rows of a group; runs in a worker thread."""
        from chimein_gui.domain.context import prepare_all, prepare_trigger

        model = self._ready_model()
        rows = rows_of(messages, me)
        place = next((at for at in reversed(range(len(rows))) if _calls(chat, messages[at], names)), len(rows) - 1)
        before, latest = prepare_all(rows[:place], model), prepare_all(rows, model)
        number, calls = rows[place].message_id, _calls(chat, messages[place], names)
        if calls and place:
            before = prepare_trigger(before, rows[place])
        return _Group(me, names, latest, rows[-1].message_id, before, number, calls)

    def _grown(self, old: _Group, came: list[Message]) -> _Group:
        """Return a group with new rows added; in a worker thread. A plan that begins meanwhile uses the old rows."""
        from chimein_gui.domain.context import prepare, prepare_trigger

        model, group = self._ready_model(), replace(old)
        newest: HistoryRow | None = None
        for message, row in zip(came, rows_of(came, group.me), strict=True):
            calls = not message.out and (is_called(message, group.names) or _answers_us(row, group.latest))
            if calls or not group.calls:
                group.before, group.before_id, group.calls = group.latest, row.message_id, calls
                newest = row if calls else None
            group.latest, group.latest_id = prepare(row, group.latest, model), row.message_id
        if newest is not None:
            group.before = prepare_trigger(group.before, newest)
        return group

    def _ready_model(self) -> LinkModel:
        if self._model is None:
            raise RuntimeError("Without a model nothing is prepared")
        return self._model


def _news(came: list[Message], group: _Group) -> list[Message]:
    """Return the messages that change a row, without those older than the rows that count."""
    from chimein_gui.domain.context import HISTORY

    known = {row.message_id: row for row in group.latest.rows}
    oldest = next(iter(known)) if len(known) >= HISTORY else 0
    rows = zip(came, rows_of(came, group.me), strict=True)
    return [message for message, row in rows if row.message_id >= oldest and known.get(row.message_id) != row]


def _stored(tx: Transaction, chat_id: ChatId) -> tuple[Chat, CallNames, SelfIdentity, tuple[Message, ...]] | None:
    from chimein_gui.domain.context import HISTORY

    chat = tx.chats.get(chat_id)
    if chat.info.kind is not ChatKind.GROUP:
        return None
    account, peer = chat.info.account_id, chat.info.peer_id
    messages = tx.messages.before(account, peer, before_id=None, limit=HISTORY + 1)
    return (chat, names_of(tx, chat), self_identity(tx, chat), messages) if messages else None


def _calls(chat: Chat, message: Message, names: CallNames) -> bool:
    return not message.out and message.key.message_id > chat.planned_up_to and is_called(message, names)


def _answers_us(row: HistoryRow, latest: Prepared) -> bool:
    """Return whether a row replies to one of the agent's own."""
    return row.reply_to is not None and any(one.out and one.message_id == row.reply_to for one in latest.rows)
