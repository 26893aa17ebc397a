"""What agents remember: one door to read it, and the writing of what replies want to remember."""
