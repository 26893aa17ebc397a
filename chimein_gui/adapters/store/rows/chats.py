"""Chats in the database."""

from datetime import datetime
from functools import lru_cache
from operator import itemgetter
from typing import NamedTuple

from chimein_gui.adapters.store.columns.conditions import OPEN, OPEN_RECEIVED
from chimein_gui.adapters.store.columns.message import END
from chimein_gui.adapters.store.columns.previews import PREVIEW_LOOKS_BACK, preview_of
from chimein_gui.adapters.store.memo import NOTHING, Scope, chat_scope
from chimein_gui.adapters.store.rows.tasks import counts_of_steps
from chimein_gui.adapters.store.rows.values import (
    SAME_ROWS,
    Row,
    maybe_from_micros,
    maybe_to_micros,
    pins_from_text,
    pins_to_text,
    problem_from_text,
    problem_to_text,
    quiet_hours_from_text,
    quiet_hours_to_text,
    well_formed,
)
from chimein_gui.adapters.store.sql import Sql, Value
from chimein_gui.domain.chats import (
    AUTOMATIC,
    Chat,
    ChatInfo,
    ChatKind,
    ChatSettings,
    TriggerMode,
    TrustLevel,
    Unsent,
)
from chimein_gui.domain.errors import NotFoundError
from chimein_gui.domain.ids import AccountId, AgentId, ChatId, MessageId, PeerId
from chimein_gui.domain.messages import Message
from chimein_gui.domain.notes import PlanningProblem

PREVIEW_CHARACTERS = 200
SETTINGS = "trust, trust_until, triggers, quiet_hours, allow_bots, allow_agents, trust_since, pins"
_OWN = (
    *("chat_id", "agent_id", "account_id", "peer_id", "kind", "title", "username", "members"),
    *SETTINGS.split(", "),
    *("takeover_until", "agent_turns", "may_write"),
    *("planned_up_to", "read_up_to", "partner_read_up_to", "newest_in_id", "unread", "planning_problem"),
)
"""The columns of `chats` in a snapshot, in this order; those of the agent follow."""
_STORED = f"{', '.join(f'c.{name}' for name in _OWN)}, g.trust, g.trust_confirmed"
_FROM = "FROM chats c CROSS JOIN agents g ON g.agent_id = c.agent_id"
STORED_BY_ID = f"SELECT {_STORED} {_FROM} WHERE c.chat_id = ?"
"""A chat without what changes apart from it: its steps and its messages."""
STORED = frozenset({STORED_BY_ID})
"""Queries whose results are known after a chat was changed that was known before."""
ID_BY_PEER = "SELECT chat_id FROM chats WHERE account_id = ? AND peer_id = ?"
SELECT = f"""
SELECT {_STORED},
    (SELECT count(*) FROM tasks INDEXED BY tasks_open
        WHERE chat_id = c.chat_id AND {OPEN} AND status = 'awaiting_decision'),
    (SELECT count(*) FROM tasks INDEXED BY tasks_received
        WHERE chat_id = c.chat_id AND {OPEN_RECEIVED} AND status = 'running'),
    m.text, m.media_kind, m.out, m.sent_at
{_FROM}
LEFT JOIN messages m ON m.account_id = c.account_id AND m.peer_id = c.peer_id AND m.message_id = (
    SELECT message_id FROM (
        SELECT message_id, deleted FROM messages
        WHERE account_id = c.account_id AND peer_id = c.peer_id
        ORDER BY message_id DESC LIMIT {PREVIEW_LOOKS_BACK})
    WHERE deleted = 0 LIMIT 1)
"""
FORGOTTEN = """
(c.title = '' AND EXISTS (SELECT 1 FROM forgotten f
    WHERE f.account_id = c.account_id AND f.peer_id = c.peer_id AND f.person_id = c.peer_id))
"""
"""A chat that was forgotten, and has had no message since."""
BY_ID = f"{SELECT} WHERE c.chat_id = ?"
_ACCOUNT, _PEER = _OWN.index("account_id"), _OWN.index("peer_id")
KNOWN_UP_TO = """
SELECT c.peer_id, max(c.planned_up_to, coalesce((SELECT message_id FROM messages
    WHERE account_id = c.account_id AND peer_id = c.peer_id ORDER BY message_id DESC LIMIT 1), 0))
FROM chats c CROSS JOIN agents g ON g.agent_id = c.agent_id
WHERE c.account_id = ? AND g.account_id = c.account_id
"""
WITH_NEWS = """
SELECT c.chat_id FROM agents g CROSS JOIN chats c ON c.account_id = g.account_id AND c.agent_id = g.agent_id
WHERE g.agent_id = ? AND c.newest_in_id > c.planned_up_to
"""
COUNTED_AT_FIRST = 500

COUNT_UNREAD = """
SELECT count(*), coalesce(sum(out = 0 AND deleted = 0), 0) FROM (
    SELECT out, deleted FROM messages WHERE account_id = ? AND peer_id = ? AND message_id > ? AND message_id <= ?
    ORDER BY message_id LIMIT ?)
"""


def _stored(row: Row) -> Row:
    return row


class _Marks(NamedTuple):
    """The columns that changes of a chat are compared with."""

    account_id: AccountId
    peer_id: PeerId
    planned_up_to: MessageId
    read_up_to: MessageId
    newest_in_id: MessageId
    unread: int


_MARKS = itemgetter(*map(_OWN.index, _Marks._fields))


def _row_of(sql: Sql, chat_id: ChatId) -> Row:
    """Return the row of `STORED_BY_ID`, or raise NotFoundError."""
    found = sql.first(_stored, STORED_BY_ID, chat_id, scope=chat_scope(chat_id))
    if found is None:
        raise NotFoundError(f"no chat {chat_id}")
    return found


def _marks_of(sql: Sql, chat_id: ChatId) -> _Marks:
    return _Marks(*_MARKS(_row_of(sql, chat_id)))


_FOR_CARDS = itemgetter(*map(_OWN.index, ("agent_id", "account_id", "peer_id", "title")))


def chat_of_cards(sql: Sql, chat_id: ChatId) -> Row:
    """Return a chat's agent, account, peer and title, or raise NotFoundError."""
    found: Row = _FOR_CARDS(_row_of(sql, chat_id))
    return found


def _write(sql: Sql, chat_id: ChatId, *, besides: str = "", **changes: Value) -> None:
    """Write columns of a chat; the writer knows its row afterwards, if it knew it before.

    Args:
        sql: The connection.
        chat_id: The chat.
        besides: SQL that assigns other columns, which are not in a snapshot; it ends with a comma.
        changes: New values by column.
    """
    before, scope = sql.known(_stored, STORED_BY_ID, chat_id), chat_scope(chat_id)
    statement, places = _update_of(besides, tuple(changes))
    known = STORED if before else NOTHING
    sql.change(statement, *changes.values(), chat_id, missing=f"no chat {chat_id}", scope=scope, known=known)
    if before:
        now = [*before[0]]
        for place, value in zip(places, changes.values(), strict=True):
            now[place] = well_formed(value) if type(value) is str else value
        sql.know((tuple(now),), _stored, STORED_BY_ID, chat_id, scope=scope)


@lru_cache(64)
def _update_of(besides: str, names: tuple[str, ...]) -> tuple[str, tuple[int, ...]]:
    """Return the statement that writes columns of a chat, and where they stand in its row."""
    assignments = ", ".join(f"{name} = ?" for name in names)
    return f"UPDATE chats SET {besides}{assignments} WHERE chat_id = ?", tuple(map(_OWN.index, names))


def count_incoming(sql: Sql, chat_id: ChatId, message: Message) -> None:
    """Count a stored message of somebody else."""
    marks, message_id = _marks_of(sql, chat_id), message.key.message_id
    unread = marks.unread + (message_id > marks.read_up_to and not message.deleted)
    newest = max(marks.newest_in_id, message_id)
    _write(sql, chat_id, besides="unindexed = unindexed + 1, ", newest_in_id=newest, unread=unread)


def chat_settings(sql: Sql, chat_id: ChatId) -> ChatSettings:
    """Return what is set for a chat itself, or raise NotFoundError."""
    found = sql.first(_settings, f"SELECT {SETTINGS} FROM chats WHERE chat_id = ?", chat_id, scope=chat_scope(chat_id))
    if found is None:
        raise NotFoundError(f"no chat {chat_id}")
    return found


class SqliteChatRows:
    """Implements `engine.ports.ChatRows`."""

    def __init__(self, sql: Sql) -> None:
        self._sql = sql

    def get(self, chat_id: ChatId) -> Chat:
        known = self._sql.known(_chat, BY_ID, chat_id)
        if known:
            return known[0]
        row = _row_of(self._sql, chat_id)
        peer = row[_ACCOUNT], row[_PEER]
        chat = _chat((*row, *counts_of_steps(self._sql, chat_id), *preview_of(self._sql, *peer)))
        self._sql.know((chat,), _chat, BY_ID, chat_id, scope=Scope(chat_id, peer))
        return chat

    def find(self, account_id: AccountId, peer_id: PeerId) -> Chat | None:
        row = self._sql.one(ID_BY_PEER, account_id, peer_id)
        return None if row is None else self.get(ChatId(row[0]))

    def all(self) -> tuple[Chat, ...]:
        rows = self._sql.all(f"{SELECT} WHERE g.account_id = c.account_id AND NOT {FORGOTTEN}")
        return tuple(_chat(row) for row in sorted(rows, key=_age))

    def ensure(self, agent_id: AgentId, info: ChatInfo, *, planned_up_to: MessageId) -> tuple[Chat, bool]:
        known = self.find(info.account_id, info.peer_id)
        if known is None:
            chat_id = self._sql.insert(
                "INSERT INTO chats (agent_id, account_id, peer_id, kind, title, username, members,"
                " planned_up_to, trust) VALUES (?, ?, ?, ?, ?, ?, ?, ?, '')",
                agent_id,
                info.account_id,
                info.peer_id,
                info.kind.value,
                info.title,
                info.username,
                info.members,
                planned_up_to,
            )
            return self.get(ChatId(chat_id)), True
        members = info.members or known.info.members
        if known.info == info and known.agent_id == agent_id and members == known.info.members:
            return known, False
        new: dict[str, Value] = {"agent_id": agent_id, "kind": info.kind.value, "title": info.title}
        new |= {"username": info.username, "members": members}
        self._sql.change(
            f"UPDATE chats SET {', '.join(f'{name} = ?' for name in new)} WHERE chat_id = ?",
            *new.values(),
            known.chat_id,
            missing=f"no chat {known.chat_id}",
            scope=chat_scope(known.chat_id),
        )
        return self.get(known.chat_id), False

    def settings_of(self, chat_id: ChatId) -> ChatSettings:
        return chat_settings(self._sql, chat_id)

    def set_settings(self, chat_id: ChatId, settings: ChatSettings) -> None:
        _write(
            self._sql,
            chat_id,
            trust=settings.trust.value if settings.trust is not None else "",
            trust_until=maybe_to_micros(settings.trust_until),
            triggers=settings.triggers.value if settings.triggers is not None else "",
            quiet_hours=quiet_hours_to_text(settings.quiet_hours),
            allow_bots=settings.allow_bots,
            allow_agents=settings.allow_agents,
            trust_since=maybe_to_micros(settings.trust_since),
            pins=pins_to_text(settings.pins),
        )

    def set_takeover(self, chat_id: ChatId, until: datetime | None) -> None:
        _write(self._sql, chat_id, takeover_until=maybe_to_micros(until))

    def set_agent_turns(self, chat_id: ChatId, turns: int) -> None:
        if self.get(chat_id).agent_turns != turns:
            _write(self._sql, chat_id, agent_turns=turns)

    def keep_unsent(self, unsent: Unsent) -> None:
        if unsent.text:
            self._sql.run(
                "INSERT OR REPLACE INTO unsent (chat_id, text, reply_to_id) VALUES (?, ?, ?)",
                unsent.chat_id,
                unsent.text,
                unsent.reply_to_id,
            )
        else:
            self._sql.run("DELETE FROM unsent WHERE chat_id = ?", unsent.chat_id)

    def unsent(self) -> tuple[Unsent, ...]:
        return self._sql.made(_unsent, "SELECT chat_id, text, reply_to_id FROM unsent ORDER BY chat_id")

    def set_may_write(self, chat_id: ChatId, *, may_write: bool) -> None:
        if _row_of(self._sql, chat_id)[_OWN.index("may_write")] != may_write:
            _write(self._sql, chat_id, may_write=may_write)

    def of_account(self, account_id: AccountId) -> tuple[ChatId, ...]:
        rows = self._sql.all("SELECT chat_id FROM chats WHERE account_id = ? ORDER BY chat_id", account_id)
        return tuple(ChatId(chat_id) for (chat_id,) in rows)

    def known_up_to(self, account_id: AccountId) -> dict[PeerId, MessageId]:
        rows = self._sql.all(KNOWN_UP_TO, account_id)
        return {PeerId(peer_id): MessageId(message_id) for peer_id, message_id in rows}

    def with_news(self, agent_id: AgentId) -> tuple[ChatId, ...]:
        return tuple(ChatId(chat_id) for (chat_id,) in self._sql.all(WITH_NEWS, agent_id))

    def set_planned_up_to(self, chat_id: ChatId, message_id: MessageId) -> None:
        if message_id > _row_of(self._sql, chat_id)[_OWN.index("planned_up_to")]:
            _write(self._sql, chat_id, planned_up_to=message_id)

    def set_read_up_to(self, chat_id: ChatId, message_id: MessageId) -> None:
        marks = _marks_of(self._sql, chat_id)
        if message_id > marks.read_up_to:
            unread = _count_unread(self._sql, marks, message_id)
            _write(self._sql, chat_id, read_up_to=message_id, unread=unread)

    def set_answered_up_to(self, chat_id: ChatId, message_id: MessageId) -> None:
        marks = _marks_of(self._sql, chat_id)
        if message_id > min(marks.planned_up_to, marks.read_up_to):
            planned, read = max(marks.planned_up_to, message_id), max(marks.read_up_to, message_id)
            unread = _count_unread(self._sql, marks, message_id) if read > marks.read_up_to else marks.unread
            _write(self._sql, chat_id, planned_up_to=planned, read_up_to=read, unread=unread)

    def set_partner_read_up_to(self, chat_id: ChatId, message_id: MessageId) -> None:
        if message_id > _row_of(self._sql, chat_id)[_OWN.index("partner_read_up_to")]:
            _write(self._sql, chat_id, partner_read_up_to=message_id)

    def set_planning_problem(self, chat_id: ChatId, problem: PlanningProblem | None) -> None:
        if self.get(chat_id).planning_problem != problem:
            _write(self._sql, chat_id, planning_problem=problem_to_text(problem))


def _age(row: Row) -> tuple[int, int]:
    chat_id, sent_at = row[0], row[-1]
    return (1 if sent_at is None else -sent_at, chat_id)


# A dict look-up is ten times as fast as the enum's constructor.
_KINDS = {one.value: one for one in ChatKind}
_TRUST = {one.value: one for one in TrustLevel}


@lru_cache(SAME_ROWS)
def _chat(row: Row) -> Chat:
    (chat_id, agent_id, account_id, peer_id, kind, title, username, members, *rest) = row
    (*settings, takeover_until, agent_turns, may_write, planned_up_to, read_up_to, partner_read_up_to) = rest[:14]
    (newest_in_id, unread, problem, agent_trust, trust_confirmed, pending, planning, *last) = rest[14:]
    last_text, last_media, last_out, last_at = last
    set_here = _settings(tuple(settings))
    return Chat(
        chat_id=ChatId(chat_id),
        agent_id=AgentId(agent_id),
        info=ChatInfo(AccountId(account_id), PeerId(peer_id), _KINDS[kind], title, username, members),
        trust=set_here.trust or _agents_trust(agent_trust, confirmed=bool(trust_confirmed)),
        planned_up_to=MessageId(planned_up_to),
        read_up_to=MessageId(read_up_to),
        partner_read_up_to=MessageId(partner_read_up_to),
        newest_in_id=MessageId(newest_in_id),
        unread=unread,
        pending=pending,
        last_text=_one_line(last_text or ""),
        last_media=last_media or "",
        last_out=bool(last_out),
        last_at=maybe_from_micros(last_at),
        planning=bool(planning),
        planning_problem=problem_from_text(problem),
        settings=set_here,
        takeover_until=maybe_from_micros(takeover_until),
        agent_turns=agent_turns,
        may_write=bool(may_write),
    )


@lru_cache(SAME_ROWS)
def _settings(columns: Row) -> ChatSettings:
    trust, trust_until, triggers, quiet_hours, allow_bots, allow_agents, trust_since, pins = columns
    return ChatSettings(
        trust=_TRUST[trust] if trust else None,
        trust_until=maybe_from_micros(trust_until),
        triggers=TriggerMode(triggers) if triggers else None,
        quiet_hours=quiet_hours_from_text(quiet_hours),
        allow_bots=bool(allow_bots),
        allow_agents=bool(allow_agents),
        trust_since=maybe_from_micros(trust_since),
        pins=pins_from_text(pins),
    )


def _agents_trust(trust: str, *, confirmed: bool) -> TrustLevel:
    """Return the trust level of the agent's file; an automatic level needs the operator's confirmation."""
    level = _TRUST[trust] if trust else TrustLevel.REVIEW
    return level if confirmed or level not in AUTOMATIC else TrustLevel.REVIEW


def _unsent(row: Row) -> Unsent:
    chat_id, text, reply_to_id = row
    return Unsent(ChatId(chat_id), text, MessageId(reply_to_id) if reply_to_id is not None else None)


def _count_unread(sql: Sql, chat: _Marks, read_up_to: MessageId) -> int:
    """Return the number of unread messages after a chat was read up to a message newer than before.

    Either few messages remain above it, or few were read now: the shorter side is counted.
    """
    if read_up_to >= chat.newest_in_id:
        return 0
    most = COUNTED_AT_FIRST
    while True:
        left, unread = _count(sql, chat, read_up_to, MessageId(END), most)
        if left < most:
            return unread
        passed, read = _count(sql, chat, chat.read_up_to, read_up_to, most)
        if passed < most:
            return max(0, chat.unread - read)
        most *= 4


def _count(sql: Sql, chat: _Marks, above: MessageId, up_to: MessageId, most: int) -> tuple[int, int]:
    """Count messages of a chat between two ids, up to `most`, and how many of them are incoming and not deleted."""
    row = sql.one(COUNT_UNREAD, chat.account_id, chat.peer_id, above, up_to, most)
    assert row is not None  # an aggregate has one row
    return row[0], row[1]


def _one_line(text: str) -> str:
    """Return the beginning of a text on one line."""
    return " ".join(text[: 2 * PREVIEW_CHARACTERS].split())[:PREVIEW_CHARACTERS]
