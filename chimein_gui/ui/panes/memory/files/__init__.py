"""The tab Files of the Memory pane: whose memories, their entries as cards, and their history."""
