"""Mapping between Telethon's objects and ours; pure functions."""
