"""Desktop notifications for the operator, and their words."""
