"""The twenty-ninth migration: what partners order to remember, each by the message that gave the order."""

from chimein_gui.adapters.store.columns.conditions import TO_WRITE

TWENTY_NINTH = f"""
CREATE TABLE memory_orders (
    chat_id INTEGER NOT NULL REFERENCES chats,
    message_id INTEGER NOT NULL,
    agent_id INTEGER NOT NULL REFERENCES agents,
    person_id INTEGER NOT NULL,              -- who gave it, and whom it is about
    form TEXT NOT NULL,
    text TEXT NOT NULL,
    state TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    known TEXT NOT NULL DEFAULT '',          -- the entry that says the same already
    PRIMARY KEY (chat_id, message_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX memory_orders_to_write ON memory_orders (created_at) WHERE {TO_WRITE};
CREATE INDEX memory_orders_of_person ON memory_orders (person_id);
"""
