"""What lists and trees share: keys, what is in view, rows that tell the time."""
