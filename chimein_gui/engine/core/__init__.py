"""What every wing stands on: the clock, jobs, events, commits that last, the environment of a transaction."""
