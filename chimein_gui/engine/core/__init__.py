"""The base of all other packages: clock, jobs, events, commits, the environment of transactions."""
