"""A planned message in its chat: what it is, what became of the conversation, what follows it."""
