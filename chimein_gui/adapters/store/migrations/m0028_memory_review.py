"""The twenty-eighth migration: proposed memories wait for the operator, and what he deletes is not proposed again."""

TWENTY_EIGHTH = """
CREATE TABLE memory_proposals (
    proposal_id INTEGER PRIMARY KEY,
    agent_id INTEGER NOT NULL REFERENCES agents,
    chat_id INTEGER NOT NULL REFERENCES chats,
    person_id INTEGER NOT NULL,              -- whom it is about
    person_name TEXT NOT NULL,
    text TEXT NOT NULL,
    text_hash TEXT NOT NULL,                 -- of the folded text
    evidence TEXT NOT NULL,                  -- JSON: [[message_id, words], …]
    flags TEXT NOT NULL,
    confidence REAL,
    state TEXT NOT NULL,
    stale TEXT NOT NULL DEFAULT '',
    created_at INTEGER NOT NULL,
    model TEXT NOT NULL,
    cost_usd REAL,
    version INTEGER NOT NULL DEFAULT 0,
    effect TEXT NOT NULL DEFAULT 'none',     -- what of the decision is not yet done to the file
    choice TEXT NOT NULL DEFAULT '',
    decided_at INTEGER,
    written TEXT NOT NULL DEFAULT '',        -- the text in the file
    kind TEXT NOT NULL DEFAULT '',           -- of the file
    peer INTEGER,                            -- of the file; NULL: remembered for all chats
    before TEXT NOT NULL DEFAULT ''          -- the entry into which it was merged, as it was
) STRICT;
CREATE INDEX memory_proposals_open ON memory_proposals (created_at) WHERE state IN ('waiting', 'stale');
CREATE INDEX memory_proposals_decided ON memory_proposals (decided_at) WHERE decided_at IS NOT NULL;
CREATE INDEX memory_proposals_effect ON memory_proposals (decided_at) WHERE effect <> 'none';
CREATE INDEX memory_proposals_same ON memory_proposals (agent_id, person_id, text_hash);
CREATE INDEX memory_proposals_of_chat ON memory_proposals (chat_id);
CREATE INDEX memory_proposals_of_person ON memory_proposals (person_id);

CREATE TABLE memory_tombstones (
    agent_id INTEGER NOT NULL REFERENCES agents,
    kind TEXT NOT NULL,
    peer INTEGER NOT NULL,                   -- 0: remembered for all chats
    text_hash TEXT NOT NULL,
    at INTEGER NOT NULL,
    PRIMARY KEY (agent_id, kind, peer, text_hash)
) STRICT, WITHOUT ROWID;
CREATE INDEX memory_tombstones_of_peer ON memory_tombstones (peer);

CREATE TABLE memory_never (
    agent_id INTEGER NOT NULL REFERENCES agents,
    person_id INTEGER NOT NULL,
    at INTEGER NOT NULL,
    PRIMARY KEY (agent_id, person_id)
) STRICT, WITHOUT ROWID;

CREATE TABLE memory_reading (
    chat_id INTEGER PRIMARY KEY REFERENCES chats,
    read_up_to INTEGER NOT NULL,
    at INTEGER NOT NULL
) STRICT;
"""
