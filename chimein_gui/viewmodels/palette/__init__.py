"""The entries and the search of the command palette."""
