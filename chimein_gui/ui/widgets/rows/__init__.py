"""Shared by lists and trees: keys, the scroll anchor, what is in view, rows that tell the time."""
