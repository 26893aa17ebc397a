"""Animated stickers, drawn in a process of their own that may be killed at any time."""
