"""Counts, gives out and forgets what the database holds about a person.

Long tables are looked at in portions, so that neither thread of the store is busy for long.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from chimein_gui.adapters.store.columns.attachments import media_from_json
from chimein_gui.adapters.store.columns.conditions import IN_DOUBT
from chimein_gui.adapters.store.columns.message import IN_CHAT
from chimein_gui.adapters.store.memo import ANY_CHAT
from chimein_gui.adapters.store.people.forgotten import ForgottenMessages
from chimein_gui.adapters.store.people.tables import DROP_INDEXES, HELD, INDEXES, OF_PERSON
from chimein_gui.adapters.store.rows.values import from_micros, maybe_file_from_json, maybe_from_micros
from chimein_gui.adapters.store.traces.words import TraceWords
from chimein_gui.domain.chats import ChatKind
from chimein_gui.domain.ids import AccountId, AgentId, ChatId, MessageId, PeerId
from chimein_gui.domain.people.holdings import HoldingKind, PersonChat, Tally
from chimein_gui.domain.prompt.sent import CallId
from chimein_gui.engine.ports import ForgetRequest, MessagePortion, PackedPrompt

if TYPE_CHECKING:
    from chimein_gui.adapters.store.rows.values import Row
    from chimein_gui.adapters.store.search_index import SearchIndex
    from chimein_gui.adapters.store.sql import Sql

ALL_CHATS = """
SELECT c.chat_id, c.account_id, c.peer_id, c.kind, c.agent_id, g.name, c.title
FROM agents g CROSS JOIN chats c ON c.agent_id = g.agent_id ORDER BY g.name, c.chat_id
"""
PORTION = f"""
SELECT message_id, sender_id, sender_name, sent_at, length(text), media FROM messages
WHERE {IN_CHAT} AND message_id > ? ORDER BY message_id LIMIT ?
"""
MESSAGES = f"""
SELECT message_id, sender_id, sender_name, out, sent_at, text, reply_to_id, edited_at, deleted, media_kind, media
FROM messages WHERE {IN_CHAT} AND message_id > ? ORDER BY message_id LIMIT ?
"""
PROMPTS = """
SELECT p.call_id, m.chat_id, p.body FROM prompts p CROSS JOIN model_calls m ON m.call_id = p.call_id
WHERE p.call_id > ? ORDER BY p.call_id LIMIT ?
"""
ON_ITS_WAY = f"SELECT 1 FROM ledger INDEXED BY ledger_in_doubt WHERE chat_id = ? AND {IN_DOUBT} LIMIT 1"
COPIES = """
SELECT a.file FROM graphs g CROSS JOIN tasks t ON t.graph_id = g.graph_id AND t.graph_id IS NOT NULL
CROSS JOIN approvals a ON a.task_id = t.task_id WHERE g.chat_id = ? AND a.file IS NOT NULL
"""
NOTE = """
INSERT INTO forgotten (account_id, peer_id, person_id, up_to) VALUES (?, ?, ?, ?)
ON CONFLICT DO UPDATE SET up_to = max(up_to, excluded.up_to)
"""
NEWEST = f"""
SELECT max(c.planned_up_to, c.read_up_to, c.newest_in_id, coalesce((SELECT message_id FROM messages
    WHERE {IN_CHAT} ORDER BY message_id DESC LIMIT 1), 0)) FROM chats c WHERE c.chat_id = ?
"""
FORGET_DIRECT = f"""
DELETE FROM messages WHERE {IN_CHAT} AND message_id IN
    (SELECT message_id FROM messages WHERE {IN_CHAT} AND message_id <= ? ORDER BY message_id LIMIT ?)
"""
WITH_CONTENTS = """
sender_id = ? AND (sender_name <> '' OR text <> '' OR media <> '' OR raw_json <> '' OR forward <> '' OR reactions <> '')
"""
EMPTY = f"""
UPDATE messages SET sender_name = '', text = '', entities = '[]', media_kind = '', media = '', forward = '',
    reactions = '', raw_json = '', mentioned = 0 WHERE {IN_CHAT} AND message_id IN
    (SELECT message_id FROM messages WHERE {IN_CHAT} AND message_id <= ? AND {WITH_CONTENTS}
    ORDER BY message_id LIMIT ?)
"""
GROUP_MEMORIES = """
DELETE FROM memories WHERE graph_id IN (SELECT g.graph_id FROM graphs g INDEXED BY graphs_of_chat
    CROSS JOIN messages m ON m.account_id = ?2 AND m.peer_id = ?3
    AND m.message_id = json_extract(g.trigger_ids, '$[#-1]') WHERE g.chat_id = ?1 AND m.sender_id = ?4)
"""
GROUP_PROPOSALS = """
DELETE FROM memory_proposals WHERE chat_id = ?1 AND EXISTS (SELECT 1 FROM json_each(evidence)
    CROSS JOIN messages m ON m.account_id = ?2 AND m.peer_id = ?3
    AND m.message_id = json_extract(json_each.value, '$[0]') WHERE m.sender_id = ?4)
"""

_BY_KIND = {table.kind: table for table in HELD}
_UNTOLD = Tally()


class SqlitePeopleRows:
    """Implements `engine.ports.PeopleRows`."""

    def __init__(self, sql: Sql, index: SearchIndex) -> None:
        self._sql = sql
        self._index = index
        self._forgotten = ForgottenMessages(sql)

    def all_chats(self) -> tuple[PersonChat, ...]:
        return tuple(map(_chat, self._sql.all(ALL_CHATS)))

    def portion(self, chat_id: ChatId, person: PeerId, *, above_id: MessageId, limit: int) -> MessagePortion:
        peer = self._peer(chat_id)
        rows = self._sql.all(PORTION, *peer, above_id, limit)
        mine = [row for row in rows if peer[1] == person or row[1] == person]
        files = (media_from_json(media) for *_, media in mine if media)
        theirs = [row for row in mine if row[1] == person]
        tally = Tally(
            len(mine),
            len(theirs),
            sum(row[4] for row in mine),
            from_micros(min(row[3] for row in mine)) if mine else None,
            from_micros(max(row[3] for row in mine)) if mine else None,
        )
        return MessagePortion(
            tally,
            frozenset(file.file_id for file in files if file is not None and file.file_id is not None),
            frozenset(row[2] for row in theirs if row[2]),
            MessageId(rows[-1][0]) if len(rows) == limit else None,
        )

    def tally(self, kind: HoldingKind, chat_id: ChatId) -> Tally:
        table = _BY_KIND.get(kind)
        if table is None:
            return _UNTOLD
        row = self._sql.one(f"SELECT {table.tally} FROM {table.source}", chat_id)
        assert row is not None  # an aggregate has one row
        count, size, first, last, cost = row
        return Tally(count, 0, size, maybe_from_micros(first), maybe_from_micros(last), cost)

    def listed(self, kind: HoldingKind, chat_id: ChatId) -> tuple[dict[str, object], ...]:
        table = _BY_KIND.get(kind)
        if table is None or not table.columns:
            return ()
        names = [one.split(" AS ")[-1].strip() for one in table.columns.split(",")]
        return tuple(
            _given(names, row) for row in self._sql.all(f"SELECT {table.columns} FROM {table.source}", chat_id)
        )

    def messages_of(
        self, chat_id: ChatId, person: PeerId, *, above_id: MessageId, limit: int
    ) -> tuple[tuple[dict[str, object], ...], MessageId | None]:
        peer = self._peer(chat_id)
        rows = self._sql.all(MESSAGES, *peer, above_id, limit)
        given = tuple(_message(row) for row in rows if peer[1] == person or row[1] == person)
        return given, MessageId(rows[-1][0]) if len(rows) == limit else None

    def prompts_above(self, call_id: CallId, *, limit: int) -> tuple[PackedPrompt, ...]:
        rows = self._sql.all(PROMPTS, call_id, limit)
        return tuple(PackedPrompt(CallId(number), ChatId(chat_id), body) for number, chat_id, body in rows)

    def is_on_its_way(self, chat_id: ChatId) -> bool:
        return bool(self._sql.all(ON_ITS_WAY, chat_id))

    def requests(self) -> tuple[ForgetRequest, ...]:
        rows = self._sql.all("SELECT person_id, held, names FROM forget_requests ORDER BY at")
        return tuple(
            ForgetRequest(PeerId(person), tuple(map(ChatId, json.loads(held))), tuple(json.loads(names)))
            for person, held, names in rows
        )

    def request(self, order: ForgetRequest) -> None:
        known = next((one for one in self.requests() if one.person == order.person), ForgetRequest(order.person))
        held, names = dict.fromkeys((*known.held, *order.held)), dict.fromkeys((*known.names, *order.names))
        self._sql.run(
            "INSERT INTO forget_requests (person_id, at, held, names) VALUES (?, unixepoch(), ?, ?)"
            " ON CONFLICT DO UPDATE SET held = excluded.held, names = excluded.names",
            order.person,
            json.dumps(list(held)),
            json.dumps(list(names)),
        )

    def forget_names(self, person: PeerId) -> None:
        self._sql.run("UPDATE forget_requests SET names = '[]' WHERE person_id = ?", person)

    def end_request(self, person: PeerId) -> None:
        self._sql.run("DELETE FROM forget_requests WHERE person_id = ?", person)

    def copied_files(self, chat_id: ChatId) -> tuple[str, ...]:
        files = (maybe_file_from_json(stored) for (stored,) in self._sql.all(COPIES, chat_id))
        return tuple(dict.fromkeys(file.stored_as for file in files if file is not None))

    def note_forgotten(self, chat_id: ChatId, person: PeerId) -> None:
        peer = self._peer(chat_id)
        row = self._sql.one(NEWEST, *peer, chat_id)
        assert row is not None  # `_peer` has found the chat
        self._sql.run(NOTE, *peer, person, row[0])

    def forgotten_up_to(self, account_id: AccountId, peer_id: PeerId) -> MessageId:
        return self._forgotten.up_to(account_id, peer_id, peer_id)

    def forget_messages(self, chat_id: ChatId, person: PeerId, *, limit: int) -> bool:
        peer = self._peer(chat_id)
        up_to = self._forgotten.up_to(peer[0], peer[1], person)
        if peer[1] == person:
            changed = self._sql.run(FORGET_DIRECT, *peer, *peer, up_to, limit)
        else:
            changed = self._sql.run(EMPTY, *peer, *peer, up_to, person, limit)
        return changed.rowcount == limit

    def forget_chat(self, chat_id: ChatId) -> None:
        for statement in INDEXES:
            self._sql.run(statement)
        TraceWords(self._sql).forget(chat_id)
        for table in HELD:
            for statement in table.forget:
                self._sql.run(statement, chat_id)
        for statement in DROP_INDEXES:
            self._sql.run(statement)

    def forget_person(self, person: PeerId) -> None:
        for statement in OF_PERSON:
            self._sql.run(statement, person)

    def forget_memories(self, chat_id: ChatId, person: PeerId) -> None:
        for statement in (GROUP_MEMORIES, GROUP_PROPOSALS):
            self._sql.run(statement, chat_id, *self._peer(chat_id), person)
        # A reply may speak of anybody in the group, so all of its traces go.
        TraceWords(self._sql).forget(chat_id)
        for statement in _BY_KIND[HoldingKind.TRACES].forget:
            self._sql.run(statement, chat_id)

    def clear_search(self, chats: tuple[ChatId, ...]) -> None:
        if any(self._index.mark_of(chat_id) is not None for chat_id in chats):
            self._index.clear()

    def _peer(self, chat_id: ChatId) -> tuple[AccountId, PeerId]:
        row = self._sql.one("SELECT account_id, peer_id FROM chats WHERE chat_id = ?", chat_id, scope=ANY_CHAT)
        return (AccountId(0), PeerId(0)) if row is None else (AccountId(row[0]), PeerId(row[1]))


def _chat(row: Row) -> PersonChat:
    chat_id, account_id, peer_id, kind, agent_id, name, title = row
    return PersonChat(
        ChatId(chat_id), AccountId(account_id), PeerId(peer_id), ChatKind(kind), AgentId(agent_id), name, title
    )


def _given(names: list[str], row: Row) -> dict[str, object]:
    """Return a row by the names of its columns; times as text, what is empty is left out."""
    found: dict[str, object] = {}
    for name, value in zip(names, row, strict=True):
        if value is not None and value != "":
            found[name] = from_micros(value).isoformat() if name == "at" or name.endswith("_at") else value
    return found


def _message(row: Row) -> dict[str, object]:
    names = ["message_id", "sender_id", "sender_name", "out", "sent_at", "text", "reply_to_id", "edited_at", "deleted"]
    given = _given([*names, "kind"], row[:-1])
    for flag in ("out", "deleted"):
        given[flag] = bool(given[flag])
    media = media_from_json(row[-1])
    if media is not None:
        facts = {"file": media.file_id, "name": media.file_name, "type": media.mime_type, "size": media.size}
        given["media"] = {name: value for name, value in facts.items() if value}
    return given
