"""The sandbox as the window sees it."""
