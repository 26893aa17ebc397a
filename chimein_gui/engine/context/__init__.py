"""The choice of the messages for a prompt."""
