"""What the writer knows of its rows without looking."""
