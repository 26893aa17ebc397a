"""The list of cards: selection, batch decisions, and painting."""
