"""What the operator should know of: bars, faults, toasts."""
