"""Notes, refusals and failures in words for the operator: the only place that has them."""
