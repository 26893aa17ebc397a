"""What the desktop can do for the window."""
