"""Chimein: a desktop console for several Telegram personas, whose messages one operator approves."""

__version__ = "0.1.0"
