"""The window around the panes."""
