"""The engine's state as Qt models."""
