"""Rows about what model calls cost: caps, calls under way, sums a day."""
