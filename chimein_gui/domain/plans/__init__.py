"""Parts of plans."""
