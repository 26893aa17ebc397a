"""The operator's preferences, the secrets, and the dependencies of an engine."""
