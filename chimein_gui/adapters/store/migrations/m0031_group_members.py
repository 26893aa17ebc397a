"""The thirty-first migration: how many members a group has."""

THIRTY_FIRST = """
ALTER TABLE chats ADD COLUMN members INTEGER NOT NULL DEFAULT 0;  -- 0 if unknown
"""
