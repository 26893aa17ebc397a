"""The seventh migration: which chats are in the search index; the index itself is filled in the background."""

from chimein_gui.adapters.store.columns.conditions import ENOUGH_TO_INDEX, LONG_ENOUGH

SEVENTH = f"""
-- Incoming messages that came since the chat was put into the index. Of a chat from before nobody has counted them.
ALTER TABLE chats ADD COLUMN unindexed INTEGER NOT NULL DEFAULT 0;
UPDATE chats SET unindexed = {ENOUGH_TO_INDEX};
CREATE INDEX chats_to_index ON chats (chat_id) WHERE {LONG_ENOUGH};

CREATE TABLE search_marks (
    chat_id INTEGER PRIMARY KEY REFERENCES chats,
    up_to INTEGER NOT NULL                   -- the newest message in the index; all older ones are in it
) STRICT;
"""
