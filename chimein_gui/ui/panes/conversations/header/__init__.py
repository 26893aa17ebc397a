"""The header of the open chat, and the bars below it."""
