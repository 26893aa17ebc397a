"""Docks, layouts, the rail, and which pane is in use."""
