"""Where the operator writes."""
