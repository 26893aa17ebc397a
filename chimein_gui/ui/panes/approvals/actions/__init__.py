"""What can be done with a card."""
