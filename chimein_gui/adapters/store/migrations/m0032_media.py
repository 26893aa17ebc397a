"""The thirty-second migration: messages with media are found quickly, and prompts count the files in them."""

from chimein_gui.adapters.store.columns.conditions import WITH_MEDIA

THIRTY_SECOND = f"""
CREATE INDEX messages_with_media ON messages (account_id, peer_id, message_id) WHERE {WITH_MEDIA};

CREATE TABLE media_uses (
    unique_id TEXT PRIMARY KEY,              -- Telegram's number of the photo or document
    uses INTEGER NOT NULL                    -- prompts that it stood in
) STRICT, WITHOUT ROWID;
"""
