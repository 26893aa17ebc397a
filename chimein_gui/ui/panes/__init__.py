"""The panes: a folder for each."""
