"""Agent files, and the effects of changes in them."""
