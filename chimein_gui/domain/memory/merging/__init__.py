"""Changes of memory files that are not written yet: what is typed, and its merge with what another program wrote."""
