"""What draws a message: a bubble and its parts, its text, and what was painted once."""
