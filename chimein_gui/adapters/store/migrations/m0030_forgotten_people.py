"""The thirtieth migration: people who were forgotten."""

THIRTIETH = """
-- Messages of a person in a chat up to this one are not stored again; in a direct chat these are all messages.
CREATE TABLE forgotten (
    account_id INTEGER NOT NULL,
    peer_id INTEGER NOT NULL,
    person_id INTEGER NOT NULL,
    up_to INTEGER NOT NULL,
    PRIMARY KEY (account_id, peer_id, person_id)
) STRICT, WITHOUT ROWID;

-- Orders to forget somebody that are not carried out yet.
CREATE TABLE forget_requests (
    person_id INTEGER PRIMARY KEY,
    at INTEGER NOT NULL,
    held TEXT NOT NULL,                      -- JSON: the chats that were held for it
    names TEXT NOT NULL                      -- JSON
) STRICT;
"""
