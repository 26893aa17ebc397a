"""The twenty-sixth migration: shorter chats come into the search index, too."""

from chimein_gui.adapters.store.columns.conditions import LONG_ENOUGH

TWENTY_SIXTH = f"""
DROP INDEX chats_to_index;
CREATE INDEX chats_to_index ON chats (chat_id) WHERE {LONG_ENOUGH};
"""
