"""The messages of one chat, page by page."""
