"""Telegram accounts: their connections, their state, what they missed."""
