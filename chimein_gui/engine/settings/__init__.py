"""What the operator sets, and the secrets."""
