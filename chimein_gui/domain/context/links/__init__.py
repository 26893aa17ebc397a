"""Which message continues which: signals and the frozen weights."""
