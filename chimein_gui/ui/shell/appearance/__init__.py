"""Colours, text size, motion."""
