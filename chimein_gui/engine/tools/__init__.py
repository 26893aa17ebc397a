"""The tools with which the model may look up messages before it answers."""
