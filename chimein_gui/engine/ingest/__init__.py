"""What Telegram tells: messages, edits, deletes, mutes, blocks."""
