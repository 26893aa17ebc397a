"""What agents remember, for the Memory pane."""
