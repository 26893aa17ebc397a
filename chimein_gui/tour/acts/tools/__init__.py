"""Acts about the panes that explain what happened: traces of plans, and the log."""
