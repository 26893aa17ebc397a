"""The sixth migration: whom a message calls."""

SIXTH = """
ALTER TABLE messages ADD COLUMN mentioned INTEGER NOT NULL DEFAULT 0;   -- Telegram's own mark
"""
