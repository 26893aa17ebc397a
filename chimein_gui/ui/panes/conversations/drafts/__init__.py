"""What is planned in the open chat, and what it asks."""
