"""Cards, notices, empty states, chips."""
