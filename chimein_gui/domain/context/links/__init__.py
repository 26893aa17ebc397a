"""Links between messages: which message continues which, by signals and trained weights."""
