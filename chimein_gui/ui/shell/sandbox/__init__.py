"""Parts of the window that only the sandbox has."""
