"""The head of the open chat."""
