"""Chats in the database."""

from datetime import datetime
from functools import lru_cache
from typing import NamedTuple

from chimein_gui.adapters.store.columns.conditions import OPEN, OPEN_RECEIVED
from chimein_gui.adapters.store.columns.message import END
from chimein_gui.adapters.store.memo import Scope
from chimein_gui.adapters.store.rows.values import (
    SAME_ROWS,
    Row,
    maybe_from_micros,
    maybe_to_micros,
    problem_from_text,
    problem_to_text,
    quiet_hours_from_text,
    quiet_hours_to_text,
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
from chimein_gui.domain.notes import PlanningProblem

PREVIEW_CHARACTERS = 200
PREVIEW_LOOKS_BACK = 20
"""Messages a preview examines: it skips deleted ones, but never reads all of a cleared chat."""

SETTINGS = "trust, trust_until, triggers, quiet_hours, allow_bots, allow_agents, trust_since"
SELECT = f"""
SELECT c.chat_id, c.agent_id, c.account_id, c.peer_id, c.kind, c.title, c.username,
    c.trust, c.trust_until, c.triggers, c.quiet_hours, c.allow_bots, c.allow_agents, c.trust_since,
    g.trust, g.trust_confirmed,
    c.takeover_until, c.agent_turns, c.may_write,
    c.planned_up_to, c.read_up_to, c.partner_read_up_to, c.newest_in_id, c.unread, c.planning_problem,
    (SELECT count(*) FROM tasks INDEXED BY tasks_open
        WHERE chat_id = c.chat_id AND {OPEN} AND status = 'awaiting_decision'),
    (SELECT count(*) FROM tasks INDEXED BY tasks_received
        WHERE chat_id = c.chat_id AND {OPEN_RECEIVED} AND status = 'running'),
    m.text, m.media_kind, m.out, m.sent_at
FROM chats c CROSS JOIN agents g ON g.agent_id = c.agent_id
LEFT JOIN messages m ON m.account_id = c.account_id AND m.peer_id = c.peer_id AND m.message_id = (
    SELECT message_id FROM (
        SELECT message_id, deleted FROM messages
        WHERE account_id = c.account_id AND peer_id = c.peer_id
        ORDER BY message_id DESC LIMIT {PREVIEW_LOOKS_BACK})
    WHERE deleted = 0 LIMIT 1)
"""
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
BY_ID = f"{SELECT} WHERE c.chat_id = ?"
BY_PEER = f"{SELECT} WHERE c.account_id = ? AND c.peer_id = ?"

COUNTED_AT_FIRST = 500

COUNT_UNREAD = """
SELECT count(*), coalesce(sum(out = 0 AND deleted = 0), 0) FROM (
    SELECT out, deleted FROM messages WHERE account_id = ? AND peer_id = ? AND message_id > ? AND message_id <= ?
    ORDER BY message_id LIMIT ?)
"""


MARKS = "SELECT account_id, peer_id, planned_up_to, read_up_to, unread, may_write FROM chats WHERE chat_id = ?"


class _Marks(NamedTuple):
    """The columns that changes of a chat are compared with; cheap to read, because nothing is joined."""

    account_id: AccountId
    peer_id: PeerId
    planned_up_to: MessageId
    read_up_to: MessageId
    unread: int
    may_write: bool


def _marks(row: Row) -> _Marks:
    account_id, peer_id, planned_up_to, read_up_to, unread, may_write = row
    return _Marks(account_id, peer_id, planned_up_to, read_up_to, unread, bool(may_write))


class SqliteChatRows:
    """Implements `engine.ports.ChatRows`."""

    def __init__(self, sql: Sql) -> None:
        self._sql = sql

    def get(self, chat_id: ChatId) -> Chat:
        found = self._sql.first(_chat, BY_ID, chat_id, scope=_scope)
        if found is None:
            raise NotFoundError(f"no chat {chat_id}")
        return found

    def find(self, account_id: AccountId, peer_id: PeerId) -> Chat | None:
        found = self._sql.first(_chat, BY_PEER, account_id, peer_id, scope=_scope)
        if found is not None:
            self._sql.know((found,), _chat, BY_ID, found.chat_id, scope=_scope(found))
        return found

    def all(self) -> tuple[Chat, ...]:
        rows = self._sql.all(f"{SELECT} WHERE g.account_id = c.account_id")
        return tuple(_chat(row) for row in sorted(rows, key=_age))

    def ensure(self, agent_id: AgentId, info: ChatInfo, *, planned_up_to: MessageId) -> tuple[Chat, bool]:
        known = self.find(info.account_id, info.peer_id)
        if known is None:
            chat_id = self._sql.insert(
                "INSERT INTO chats (agent_id, account_id, peer_id, kind, title, username, planned_up_to, trust)"
                " VALUES (?, ?, ?, ?, ?, ?, ?, '')",
                agent_id,
                info.account_id,
                info.peer_id,
                info.kind.value,
                info.title,
                info.username,
                planned_up_to,
            )
            return self.get(ChatId(chat_id)), True
        if known.info == info and known.agent_id == agent_id:
            return known, False
        self._sql.change(
            "UPDATE chats SET agent_id = ?, kind = ?, title = ?, username = ? WHERE chat_id = ?",
            agent_id,
            info.kind.value,
            info.title,
            info.username,
            known.chat_id,
            missing=f"no chat {known.chat_id}",
            scope=Scope(known.chat_id),
        )
        return self.get(known.chat_id), False

    def settings_of(self, chat_id: ChatId) -> ChatSettings:
        found = self._sql.first(
            _settings, f"SELECT {SETTINGS} FROM chats WHERE chat_id = ?", chat_id, scope=Scope(chat_id)
        )
        if found is None:
            raise NotFoundError(f"no chat {chat_id}")
        return found

    def set_settings(self, chat_id: ChatId, settings: ChatSettings) -> None:
        self._write(
            chat_id,
            "trust = ?, trust_until = ?, triggers = ?, quiet_hours = ?, allow_bots = ?, allow_agents = ?, "
            "trust_since = ?",
            settings.trust.value if settings.trust is not None else "",
            maybe_to_micros(settings.trust_until),
            settings.triggers.value if settings.triggers is not None else "",
            quiet_hours_to_text(settings.quiet_hours),
            settings.allow_bots,
            settings.allow_agents,
            maybe_to_micros(settings.trust_since),
        )

    def set_takeover(self, chat_id: ChatId, until: datetime | None) -> None:
        self._write(chat_id, "takeover_until = ?", maybe_to_micros(until))

    def set_agent_turns(self, chat_id: ChatId, turns: int) -> None:
        if self.get(chat_id).agent_turns != turns:
            self._write(chat_id, "agent_turns = ?", turns)

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
        if self._marks(chat_id).may_write != may_write:
            self._write(chat_id, "may_write = ?", may_write)

    def of_account(self, account_id: AccountId) -> tuple[ChatId, ...]:
        rows = self._sql.all("SELECT chat_id FROM chats WHERE account_id = ? ORDER BY chat_id", account_id)
        return tuple(ChatId(chat_id) for (chat_id,) in rows)

    def known_up_to(self, account_id: AccountId) -> dict[PeerId, MessageId]:
        rows = self._sql.all(KNOWN_UP_TO, account_id)
        return {PeerId(peer_id): MessageId(message_id) for peer_id, message_id in rows}

    def with_news(self, agent_id: AgentId) -> tuple[ChatId, ...]:
        return tuple(ChatId(chat_id) for (chat_id,) in self._sql.all(WITH_NEWS, agent_id))

    def set_planned_up_to(self, chat_id: ChatId, message_id: MessageId) -> None:
        if message_id > self._marks(chat_id).planned_up_to:
            self._write(chat_id, "planned_up_to = ?", message_id)

    def set_read_up_to(self, chat_id: ChatId, message_id: MessageId) -> None:
        marks = self._marks(chat_id)
        if message_id > marks.read_up_to:
            unread = _count_unread(self._sql, marks, message_id)
            self._write(chat_id, "read_up_to = ?, unread = ?", message_id, unread)

    def set_answered_up_to(self, chat_id: ChatId, message_id: MessageId) -> None:
        marks = self._marks(chat_id)
        if message_id > min(marks.planned_up_to, marks.read_up_to):
            planned, read = max(marks.planned_up_to, message_id), max(marks.read_up_to, message_id)
            unread = _count_unread(self._sql, marks, message_id) if read > marks.read_up_to else marks.unread
            self._write(chat_id, "planned_up_to = ?, read_up_to = ?, unread = ?", planned, read, unread)

    def set_partner_read_up_to(self, chat_id: ChatId, message_id: MessageId) -> None:
        self._write(chat_id, "partner_read_up_to = max(partner_read_up_to, ?)", message_id)

    def set_planning_problem(self, chat_id: ChatId, problem: PlanningProblem | None) -> None:
        if self.get(chat_id).planning_problem != problem:
            self._write(chat_id, "planning_problem = ?", problem_to_text(problem))

    def _marks(self, chat_id: ChatId) -> _Marks:
        found = self._sql.first(_marks, MARKS, chat_id, scope=Scope(chat_id))
        if found is None:
            raise NotFoundError(f"no chat {chat_id}")
        return found

    def _write(self, chat_id: ChatId, assignment: str, *values: Value) -> None:
        statement, missing = f"UPDATE chats SET {assignment} WHERE chat_id = ?", f"no chat {chat_id}"
        self._sql.change(statement, *values, chat_id, missing=missing, scope=Scope(chat_id))


def _scope(chat: Chat) -> Scope:
    return Scope(chat.chat_id, (chat.info.account_id, chat.info.peer_id))


def _age(row: Row) -> tuple[int, int]:
    chat_id, sent_at = row[0], row[-1]
    return (1 if sent_at is None else -sent_at, chat_id)


@lru_cache(SAME_ROWS)
def _chat(row: Row) -> Chat:
    (chat_id, agent_id, account_id, peer_id, kind, title, username, *rest) = row
    (*settings, agent_trust, trust_confirmed, takeover_until, agent_turns, may_write) = rest[:12]
    (planned_up_to, read_up_to, partner_read_up_to, newest_in_id, unread, problem, pending, planning, *last) = rest[12:]
    last_text, last_media, last_out, last_at = last
    set_here = _settings(tuple(settings))
    return Chat(
        chat_id=ChatId(chat_id),
        agent_id=AgentId(agent_id),
        info=ChatInfo(AccountId(account_id), PeerId(peer_id), ChatKind(kind), title, username),
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
    trust, trust_until, triggers, quiet_hours, allow_bots, allow_agents, trust_since = columns
    return ChatSettings(
        trust=TrustLevel(trust) if trust else None,
        trust_until=maybe_from_micros(trust_until),
        triggers=TriggerMode(triggers) if triggers else None,
        quiet_hours=quiet_hours_from_text(quiet_hours),
        allow_bots=bool(allow_bots),
        allow_agents=bool(allow_agents),
        trust_since=maybe_from_micros(trust_since),
    )


def _agents_trust(trust: str, *, confirmed: bool) -> TrustLevel:
    """Return the trust level of the agent's file; an automatic level needs the operator's confirmation."""
    level = TrustLevel(trust) if trust else TrustLevel.REVIEW
    return level if confirmed or level not in AUTOMATIC else TrustLevel.REVIEW


def _unsent(row: Row) -> Unsent:
    chat_id, text, reply_to_id = row
    return Unsent(ChatId(chat_id), text, MessageId(reply_to_id) if reply_to_id is not None else None)


def _count_unread(sql: Sql, chat: _Marks, read_up_to: MessageId) -> int:
    """Return the number of unread messages after a chat was read up to a message newer than before.

    Either few messages remain above it, or few were read now: the shorter side is counted.
    """
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
