"""Scheduling: which chat takes a step, and when."""
