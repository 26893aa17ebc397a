"""Caps on what model calls cost a day, and what is counted against them."""
