"""Agent files, the effects of changes in them, and the memories of agents."""
