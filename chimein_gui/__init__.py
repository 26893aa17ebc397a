"""Chimein: one operator, several personas, and no message that leaves unseen."""

__version__ = "0.1.0"
