"""Behaviour shared by lists and trees: shortcuts, scroll anchor, visibility, and rows that show times."""
