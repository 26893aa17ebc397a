"""The tree of agents and chats."""
