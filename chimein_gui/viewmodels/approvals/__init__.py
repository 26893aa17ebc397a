"""Planned messages: what waits for the operator, in which order, and the operator's decisions."""
