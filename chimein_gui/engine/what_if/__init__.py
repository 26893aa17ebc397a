"""What a model would answer to another prompt. Nothing here can send, remember or store a plan."""
