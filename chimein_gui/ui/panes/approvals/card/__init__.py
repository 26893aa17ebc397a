"""The open card."""
