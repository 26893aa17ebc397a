"""Planned messages: what waits for the operator, in which order, and what he does with each."""
