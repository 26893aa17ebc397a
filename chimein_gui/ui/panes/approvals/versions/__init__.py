"""The versions of a plan side by side."""
