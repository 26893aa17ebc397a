"""Characters and words of texts."""
