"""The twenty-first migration: the character card that an agent was made of, by the name of its kept file."""

TWENTY_FIRST = """
ALTER TABLE agents ADD COLUMN card TEXT NOT NULL DEFAULT '';   -- '' = none
"""
