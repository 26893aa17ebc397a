"""The steps of plans in the store: transitions, waits, what comes next, what ends with a plan."""
