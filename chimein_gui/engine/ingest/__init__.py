"""Storing what Telegram reports: messages, edits, deletes, mutes, blocks."""
