"""Preferences and keys."""
