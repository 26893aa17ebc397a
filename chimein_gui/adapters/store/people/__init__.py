"""What the tables hold about one person: counted, given out, and forgotten."""
