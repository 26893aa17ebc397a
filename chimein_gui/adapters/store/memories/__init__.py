"""Rows of proposed memories."""
