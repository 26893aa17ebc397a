"""How values and snapshots look in columns."""
