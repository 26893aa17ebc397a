"""What may be adjusted, and the keys."""
