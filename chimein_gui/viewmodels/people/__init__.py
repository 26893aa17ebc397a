"""What is held about one person, for the page that shows, exports and forgets it."""
