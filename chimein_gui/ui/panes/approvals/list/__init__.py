"""The list of cards."""
