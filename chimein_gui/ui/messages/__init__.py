"""Painting of messages: bubbles and their parts, formatted text, and caches of what was painted."""
