"""Traces in the database: rows for lists, a body each, and the index of their words."""
