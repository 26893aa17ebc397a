"""Telegram accounts: their connections, their state, and catching up."""
