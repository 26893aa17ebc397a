"""The acts of the tour: one subject each."""
