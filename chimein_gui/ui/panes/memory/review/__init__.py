"""The Review tab of the Memory pane: memories that were proposed wait for the operator."""
