"""The messages of the open chat."""
