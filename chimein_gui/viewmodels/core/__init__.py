"""What every model stands on: the way from the engine into Qt, live queries, list models, commands, the clock."""
