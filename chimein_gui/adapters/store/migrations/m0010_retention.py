"""The tenth migration: indexes that find data kept for a limited time by its age."""

from chimein_gui.adapters.store.columns.conditions import HOLDS_CHOICES, HOLDS_RAW

TENTH = f"""
CREATE INDEX graphs_to_trim ON graphs (created_at) WHERE {HOLDS_CHOICES};
CREATE INDEX messages_to_trim ON messages (sent_at) WHERE {HOLDS_RAW};
"""
