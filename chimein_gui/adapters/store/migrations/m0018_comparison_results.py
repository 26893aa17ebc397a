"""The eighteenth migration: the result of comparing a saved edit with its new draft."""

EIGHTEENTH = """
ALTER TABLE shelf ADD COLUMN result TEXT NOT NULL DEFAULT '';     -- JSON; '' = nothing was chosen or typed
"""
