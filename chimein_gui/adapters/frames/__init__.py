"""Renders animated stickers in separate processes that may be killed at any time."""
