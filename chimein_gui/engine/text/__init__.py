"""Conversion of Markdown into Telegram's text and formatting."""
