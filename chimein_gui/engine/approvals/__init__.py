"""A decision and what it commits: admission, the operator's yes, the requests of a send."""
