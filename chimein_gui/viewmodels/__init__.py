"""Engine state as Qt models."""
