"""The open card: all parts of the wide card."""
