"""The Conversations pane."""
