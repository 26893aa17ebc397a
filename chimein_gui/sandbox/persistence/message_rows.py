"""The tables of the boxes: messages, logs, read marks and notification settings."""

import json
from collections.abc import Iterator

from chimein_gui.sandbox.media.records import MediaRef
from chimein_gui.sandbox.persistence.journal import Journal, Row
from chimein_gui.sandbox.wire.tl import TLObject, read_object, vector_bytes
from chimein_gui.sandbox.world.boxes import Thread
from chimein_gui.sandbox.world.records import LogEntry, LogKind, StoredMessage

_SCHEMA = """
CREATE TABLE IF NOT EXISTS messages (
    owner_id INTEGER, message_id INTEGER, uid INTEGER, peer_id INTEGER, sender_id INTEGER, sent_at INTEGER, text TEXT,
    entities BLOB, reply_to_id INTEGER, random_id INTEGER, edited_at INTEGER, deleted INTEGER,
    flags INTEGER NOT NULL DEFAULT 0, grouped_id INTEGER NOT NULL DEFAULT 0,
    media_kind TEXT, media_file INTEGER, media_raw BLOB, forward BLOB, action BLOB,
    mentions TEXT, reply_to_uid INTEGER NOT NULL DEFAULT 0,
    PRIMARY KEY (owner_id, message_id)) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS log (
    owner_id INTEGER, pts INTEGER, pts_count INTEGER, kind TEXT, peer_id INTEGER, ids TEXT, still_unread INTEGER,
    PRIMARY KEY (owner_id, pts)) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS reads (
    owner_id INTEGER, peer_id INTEGER, inbox INTEGER, outbox INTEGER, PRIMARY KEY (owner_id, peer_id)) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS notify (
    owner_id INTEGER, peer_id INTEGER, settings BLOB, PRIMARY KEY (owner_id, peer_id)) WITHOUT ROWID;
"""
_COLUMNS = (
    "owner_id, message_id, uid, peer_id, sender_id, sent_at, text, entities, reply_to_id, random_id, edited_at, "
    "deleted, flags, grouped_id, media_kind, media_file, media_raw, forward, action, "
    "mentions, reply_to_uid"
)
_PUT = f"INSERT OR REPLACE INTO messages ({_COLUMNS}) VALUES ({', '.join('?' * 21)})"
_SILENT, _MENTIONED = 1, 2


class MessageRows:
    """Writes and reads the content of boxes."""

    def __init__(self, journal: Journal) -> None:
        journal.prepare(_SCHEMA)
        self._journal = journal

    def message(self, message: StoredMessage) -> None:
        """Add or replace a message; of a deleted one, only its ids are kept."""
        self._journal.write(_PUT, _deleted_row(message) if message.deleted else _row(message))

    def forget_random_id(self, owner_id: int, message_id: int) -> None:
        """Remove the `random_id` of a message."""
        self._journal.write(
            "UPDATE messages SET random_id = 0 WHERE owner_id = ? AND message_id = ?", (owner_id, message_id)
        )

    def log(self, owner_id: int, entry: LogEntry) -> None:
        """Append an entry to an owner's log."""
        ids = f"[{entry.ids[0]}]" if len(entry.ids) == 1 else json.dumps(entry.ids)
        row = (owner_id, entry.pts, entry.pts_count, entry.kind.value, entry.peer_id, ids, entry.still_unread)
        self._journal.write("INSERT INTO log VALUES (?, ?, ?, ?, ?, ?, ?)", row)

    def forget_log(self, owner_id: int, up_to_pts: int) -> None:
        """Remove the entries of a log up to and including a `pts`."""
        self._journal.write("DELETE FROM log WHERE owner_id = ? AND pts <= ?", (owner_id, up_to_pts))

    def reads(self, owner_id: int, peer_id: int, thread: Thread) -> None:
        """Set a chat's read marks."""
        row = (owner_id, peer_id, thread.read_inbox, thread.read_outbox)
        self._journal.write("INSERT OR REPLACE INTO reads VALUES (?, ?, ?, ?)", row)

    def notify(self, owner_id: int, peer_id: int, settings: TLObject) -> None:
        """Set the notification settings of a chat."""
        self._journal.write("INSERT OR REPLACE INTO notify VALUES (?, ?, ?)", (owner_id, peer_id, bytes(settings)))

    def stored_messages(self) -> Iterator[StoredMessage]:
        """Iterate over all copies of all messages, oldest first in each box."""
        for row in self._journal.read(f"SELECT {_COLUMNS} FROM messages ORDER BY owner_id, message_id"):
            yield _message(row)

    def stored_log(self) -> Iterator[tuple[int, LogEntry]]:
        """Iterate over (owner id, entry), oldest first in each box."""
        for owner_id, pts, count, kind, peer_id, ids, unread in self._journal.read(
            "SELECT owner_id, pts, pts_count, kind, peer_id, ids, still_unread FROM log ORDER BY owner_id, pts"
        ):
            yield owner_id, LogEntry(pts, count, LogKind(kind), peer_id, tuple(json.loads(ids)), unread)

    def stored_reads(self) -> Iterator[tuple[int, int, int, int]]:
        """Iterate over (owner id, peer id, newest incoming id read, newest own id read by the other side)."""
        yield from self._journal.read("SELECT owner_id, peer_id, inbox, outbox FROM reads")

    def stored_notify(self) -> Iterator[tuple[int, int, TLObject]]:
        """Iterate over (owner id, peer id, settings)."""
        for owner_id, peer_id, settings in self._journal.read("SELECT owner_id, peer_id, settings FROM notify"):
            yield owner_id, peer_id, read_object(settings)


def _row(message: StoredMessage) -> Row:
    media = message.media
    return (
        message.owner_id,
        message.message_id,
        message.uid,
        message.peer_id,
        message.sender_id,
        message.sent_at,
        message.text,
        vector_bytes(message.entities) if message.entities else None,
        message.reply_to_id,
        message.random_id,
        message.edited_at,
        0,
        message.silent * _SILENT | message.mentioned * _MENTIONED,
        message.grouped_id,
        media.kind if media else None,
        media.file_id if media else None,
        media.raw if media else None,
        _blob(message.forward),
        _blob(message.action),
        json.dumps(message.mentions) if message.mentions else None,
        message.reply_to_uid,
    )


def _deleted_row(message: StoredMessage) -> Row:
    ids = (message.owner_id, message.message_id, message.uid, message.peer_id, message.sender_id, message.sent_at)
    return (*ids, "", None, 0, message.random_id, 0, 1, 0, 0, None, None, None, None, None, None, 0)


def _message(row: Row) -> StoredMessage:
    owner_id, message_id, uid, peer_id, sender_id, sent_at, text = row[:7]
    flags, grouped_id, kind, file_id, raw, forward, action, mentions, reply_to_uid = row[12:]
    return StoredMessage(
        owner_id,
        message_id,
        uid,
        peer_id,
        sender_id,
        sent_at,
        text,
        entities=tuple(read_object(row[7])) if row[7] else (),
        reply_to_id=row[8],
        random_id=row[9],
        edited_at=row[10],
        deleted=bool(row[11]),
        media=MediaRef(kind, file_id, raw or b"") if kind else None,
        grouped_id=grouped_id,
        forward=_object(forward),
        action=_object(action),
        silent=bool(flags & _SILENT),
        mentioned=bool(flags & _MENTIONED),
        mentions=tuple(json.loads(mentions)) if mentions else (),
        reply_to_uid=reply_to_uid,
    )


def _blob(thing: TLObject | None) -> bytes | None:
    return None if thing is None else bytes(thing)


def _object(blob: bytes | None) -> TLObject | None:
    return None if blob is None else read_object(blob)
