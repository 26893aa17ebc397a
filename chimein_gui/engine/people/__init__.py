"""Everything about a person: shown, given out and forgotten, for all agents."""
