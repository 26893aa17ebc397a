"""What is read for the window, found again, and thrown away after its time."""
