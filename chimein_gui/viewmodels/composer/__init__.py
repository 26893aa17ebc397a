"""What the operator types in a chat, as the agent or as the partner."""
