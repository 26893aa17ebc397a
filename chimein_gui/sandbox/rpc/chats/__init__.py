"""Calls about what is said."""
