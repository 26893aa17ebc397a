"""Descriptions of media: who is asked for one, in which order, and how many may be made at a time."""
