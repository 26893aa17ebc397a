"""Reading and searching for the window, and the removal of old data."""
