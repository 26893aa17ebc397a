"""Logging an account in."""
