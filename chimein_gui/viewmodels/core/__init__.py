"""Shared parts of the view models: the bridge into Qt, live queries, list models, commands, the clock."""
