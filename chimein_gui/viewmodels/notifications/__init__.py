"""What the operator is told outside the window, and in which words."""
