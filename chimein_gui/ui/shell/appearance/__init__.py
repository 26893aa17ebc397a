"""Colour scheme, text size, motion and language."""
