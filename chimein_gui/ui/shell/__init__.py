"""The main window around the panes: bars, docks, menus, palette, notifications."""
