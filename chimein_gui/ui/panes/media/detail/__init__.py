"""One file of the Media pane: its picture, its descriptions, and where it was seen."""
