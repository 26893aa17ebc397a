"""How plans came about: the prompts that were sent, and what would be sent now."""
