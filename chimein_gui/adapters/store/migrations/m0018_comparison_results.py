"""The eighteenth migration: what a comparison has made so far of a kept edit and its new draft."""

EIGHTEENTH = """
ALTER TABLE shelf ADD COLUMN result TEXT NOT NULL DEFAULT '';     -- JSON; '' = nothing was chosen or typed
"""
