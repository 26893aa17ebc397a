"""The log-in dialog: one page a step, nothing decided here."""
