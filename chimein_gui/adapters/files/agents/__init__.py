"""Agent files: read, checked, watched, written."""
