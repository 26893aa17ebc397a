"""Notes, refusals and failures in words for the operator; no other package has them."""
