"""Agent files: reading, validation, watching, writing."""
