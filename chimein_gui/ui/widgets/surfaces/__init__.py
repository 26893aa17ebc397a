"""Cards, messages, empty states, chips, and the backgrounds of panes."""
