"""Building prompts and reading replies."""
