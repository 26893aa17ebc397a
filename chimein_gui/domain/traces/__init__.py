"""Traces: how each plan came about, what it cost, and what became of it."""
