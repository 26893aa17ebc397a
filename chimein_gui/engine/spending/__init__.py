"""What the operator does about costs: caps, what is added to them, and the sums of the ledger."""
