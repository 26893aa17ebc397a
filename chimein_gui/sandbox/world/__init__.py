"""What there is: people, groups, and the boxes with their messages."""
