"""Characters and words of texts, and how many tokens they have."""
