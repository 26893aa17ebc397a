"""Mapping between columns and snapshots."""
