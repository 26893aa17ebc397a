"""What the window has only in the sandbox."""
