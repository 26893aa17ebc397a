"""The tab Conflicts of the Memory pane: what the operator and another program both changed."""
