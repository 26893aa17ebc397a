"""What older databases kept as sentences, and the names they have now."""
