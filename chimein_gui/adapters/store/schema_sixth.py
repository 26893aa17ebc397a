"""The sixth migration: whom a message calls (SPEC §3.1, §3.2)."""

SIXTH = """
ALTER TABLE messages ADD COLUMN mentioned INTEGER NOT NULL DEFAULT 0;   -- Telegram's own mark
"""
