"""Approvals: admission of planned sends, decisions, and the requests they commit."""
