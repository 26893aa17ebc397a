"""The files that agents met, their descriptions, and the operator's work on them."""
