"""Agent files and what becomes of a change in them; what agents remember."""
