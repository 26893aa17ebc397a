"""Which chat works when."""
