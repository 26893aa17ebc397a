"""The operator's actions: decisions, own messages, edits, holds and settings."""
