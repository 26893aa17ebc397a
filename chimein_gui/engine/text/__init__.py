"""Markdown, as Telegram understands it."""
