"""The Agents pane."""
