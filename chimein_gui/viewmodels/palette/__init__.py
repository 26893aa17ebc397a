"""What the command palette finds."""
