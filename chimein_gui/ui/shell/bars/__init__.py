"""The bars at the top and the bottom of the window, and the toasts."""
