"""The table operations of a transaction: one row set per subject."""
