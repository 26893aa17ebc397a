"""The third migration: attachments of messages, unsent texts, and steps of plans in a chat."""

from chimein_gui.adapters.store.columns.conditions import SEEN_UP_TO

THIRD = f"""
-- All JSON lists without the defaults at their end; '' = none.
ALTER TABLE messages ADD COLUMN media TEXT NOT NULL DEFAULT '';
ALTER TABLE messages ADD COLUMN forward TEXT NOT NULL DEFAULT '';
ALTER TABLE messages ADD COLUMN reactions TEXT NOT NULL DEFAULT '';

-- What the operator has typed in a chat and not sent: no crash loses it.
CREATE TABLE unsent (
    chat_id INTEGER PRIMARY KEY REFERENCES chats (chat_id),
    text TEXT NOT NULL,
    reply_to_id INTEGER
) STRICT;

CREATE INDEX decisions_of_chat ON decisions (chat_id, at);
CREATE INDEX graphs_of_chat ON graphs (chat_id, {SEEN_UP_TO});
"""
