"""Preferences of the operator and their rules."""
