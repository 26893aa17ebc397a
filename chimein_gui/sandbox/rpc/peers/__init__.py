"""Calls about people and groups."""
