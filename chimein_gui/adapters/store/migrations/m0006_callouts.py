"""The sixth migration: whether a message mentions the account."""

SIXTH = """
ALTER TABLE messages ADD COLUMN mentioned INTEGER NOT NULL DEFAULT 0;   -- Telegram's own mark
"""
