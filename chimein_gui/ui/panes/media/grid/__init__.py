"""The grid of the Media pane."""
