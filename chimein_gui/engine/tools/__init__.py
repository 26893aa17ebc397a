"""What the model may look up before it answers."""
