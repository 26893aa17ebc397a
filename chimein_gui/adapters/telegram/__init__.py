"""Telegram through Telethon."""
