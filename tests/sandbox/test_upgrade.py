"""A world written by the first sandbox, of direct messages only, opens and goes on."""

import sqlite3

import pytest

from chimein_gui.sandbox.persistence import NewerStateError
from chimein_gui.sandbox.persistence.upgrades import VERSION
from chimein_gui.sandbox.seed import DEFAULT_SEED
from tests.sandbox.clients import MARTA, NORA, client_of, marta_for, sandbox, send
from tests.sandbox.company import made_group

FIRST_SCHEMA = """
CREATE TABLE meta (name TEXT PRIMARY KEY, value BLOB NOT NULL) WITHOUT ROWID;
CREATE TABLE users (
    position INTEGER PRIMARY KEY, user_id INTEGER UNIQUE, first_name TEXT, last_name TEXT, phone TEXT, username TEXT,
    is_partner INTEGER);
CREATE TABLE contacts (user_id INTEGER, contact_id INTEGER, PRIMARY KEY (user_id, contact_id)) WITHOUT ROWID;
CREATE TABLE generations (user_id INTEGER PRIMARY KEY, generation INTEGER);
CREATE TABLE messages (
    owner_id INTEGER, message_id INTEGER, uid INTEGER, peer_id INTEGER, sender_id INTEGER, sent_at INTEGER, text TEXT,
    entities BLOB, reply_to_id INTEGER, random_id INTEGER, edited_at INTEGER, deleted INTEGER,
    PRIMARY KEY (owner_id, message_id)) WITHOUT ROWID;
CREATE TABLE log (
    owner_id INTEGER, pts INTEGER, pts_count INTEGER, kind TEXT, peer_id INTEGER, ids TEXT, still_unread INTEGER,
    PRIMARY KEY (owner_id, pts)) WITHOUT ROWID;
CREATE TABLE reads (
    owner_id INTEGER, peer_id INTEGER, inbox INTEGER, outbox INTEGER, PRIMARY KEY (owner_id, peer_id)) WITHOUT ROWID;
"""
SENT_AT = 1_790_000_000


def _first_world(path) -> None:
    path.mkdir(mode=0o700)
    db = sqlite3.connect(path / "sandbox.db")
    db.executescript(FIRST_SCHEMA)
    db.execute("INSERT INTO meta VALUES ('secret', ?)", (b"s" * 32,))
    for user, is_partner in ((DEFAULT_SEED.accounts[0], 0), (DEFAULT_SEED.partners[0], 1)):
        row = (user.user_id, user.first_name, user.last_name, user.phone[1:], user.username, is_partner)
        db.execute("INSERT INTO users VALUES (NULL, ?, ?, ?, ?, ?, ?)", row)
    db.executemany("INSERT INTO contacts VALUES (?, ?)", [(NORA, MARTA), (MARTA, NORA)])
    texts = ((NORA, MARTA, MARTA, "old words", 0), (MARTA, NORA, MARTA, "old words", 44), (NORA, MARTA, NORA, "", 55))
    for number, (owner, peer, sender, text, random_id) in enumerate(texts):
        message_id = 2 if number == 2 else 1
        stored = (owner, message_id, message_id, peer, sender, SENT_AT, text, None, 0, random_id, 0, int(not text))
        db.execute(f"INSERT INTO messages VALUES ({', '.join('?' * 12)})", stored)
    db.executemany(
        "INSERT INTO log VALUES (?, ?, 1, 'message', ?, ?, 0)",
        [(NORA, 2, MARTA, "[1]"), (MARTA, 2, NORA, "[1]"), (NORA, 3, MARTA, "[2]")],
    )
    db.execute("INSERT INTO reads VALUES (?, ?, 1, 0)", (NORA, MARTA))
    db.commit()
    db.close()


@pytest.mark.operation("a world of the first sandbox", "opens with its words, and takes groups and media from then on")
async def test_the_first_schema_opens(tmp_path):
    _first_world(tmp_path / "state")
    async with sandbox(tmp_path / "state", DEFAULT_SEED) as server, client_of(server, NORA) as nora:
        marta = await marta_for(nora)
        (told,) = await nora.get_messages(marta, limit=9)
        assert (told.raw_text, told.id) == ("old words", 1)
        assert (await send(nora, marta, "new words")).id == 3
        chat_id = await made_group(nora, members=(MARTA,))
    async with sandbox(tmp_path / "state", DEFAULT_SEED) as server, client_of(server, NORA) as nora:
        listed = {one.name: one.message.raw_text for one in await nora.get_dialogs()}
        assert listed == {"Lake": None, "Marta Oliveira": "new words"}
        assert server._around.world.groups.get(-chat_id).member_ids == (NORA, MARTA)


@pytest.mark.operation("a world from before the supergroups", "opens with its group, which then becomes one")
async def test_a_group_from_before_the_supergroups_migrates(tmp_path):
    async with sandbox(tmp_path, DEFAULT_SEED) as server, client_of(server, NORA) as nora:
        chat_id = await made_group(nora, members=(MARTA,))
    db = sqlite3.connect(tmp_path / "sandbox.db")
    db.execute("ALTER TABLE messages DROP COLUMN mentions")
    db.execute("ALTER TABLE messages DROP COLUMN reply_to_uid")
    db.execute("ALTER TABLE users DROP COLUMN bought")
    db.execute("DROP TABLE migrations")
    db.execute("DROP TABLE unseen_mentions")
    db.execute("PRAGMA user_version = 1")
    db.close()
    async with sandbox(tmp_path, DEFAULT_SEED) as server, client_of(server, NORA) as nora:
        peer_id = await server.console.migrate_group(-chat_id)
        await server.console.speak(MARTA, peer_id, "Still me")
        listed = {one.id: one.message.raw_text for one in await nora.get_dialogs() if one.is_group}
        assert listed == {-chat_id: None, peer_id: "Still me"}


async def test_a_newer_world_is_refused_with_words(tmp_path):
    async with sandbox(tmp_path / "state"):
        pass
    db = sqlite3.connect(tmp_path / "state" / "sandbox.db")
    db.execute(f"PRAGMA user_version = {VERSION + 1}")
    db.close()
    with pytest.raises(NewerStateError, match=f"version {VERSION + 1}"):
        async with sandbox(tmp_path / "state"):
            pass
