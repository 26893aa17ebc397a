"""What the operator may adjust."""
