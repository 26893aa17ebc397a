"""The twenty-fourth migration: messages pinned in or out of the context, with the settings of their chat."""

TWENTY_FOURTH = """
ALTER TABLE chats ADD COLUMN pins TEXT NOT NULL DEFAULT '';   -- such as "12+ 15-"
"""
