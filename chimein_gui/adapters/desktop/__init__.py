"""Adapters for services of the desktop."""
