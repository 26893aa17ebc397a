"""The traces of plans, for the Traces pane."""
