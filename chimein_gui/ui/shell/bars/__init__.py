"""The bars at the top and the foot, and what they say."""
