"""Fields, buttons and what else the operator works with."""
