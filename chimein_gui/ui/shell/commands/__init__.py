"""The commands of the window."""
