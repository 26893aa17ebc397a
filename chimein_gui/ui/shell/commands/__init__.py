"""All commands of the window, and where some of them lead."""
