"""Which messages a prompt holds."""
