"""One folder a pane."""
