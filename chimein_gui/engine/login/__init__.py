"""Logging accounts in and out."""
