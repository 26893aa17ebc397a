"""Messages to the operator: problem bars, reported faults, toasts."""
