"""Calls about messages and the chat list."""
