"""Reusable widgets and painting functions; they do not use the engine."""
