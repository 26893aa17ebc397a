"""Pictures, stickers and files of messages."""
