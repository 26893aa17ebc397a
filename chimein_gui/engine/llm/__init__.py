"""Calls of the models, and what they cost."""
