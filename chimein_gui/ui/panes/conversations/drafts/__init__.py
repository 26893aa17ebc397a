"""The drafts of the open chat, and what else needs the operator in it."""
