"""What the desktop offers."""
