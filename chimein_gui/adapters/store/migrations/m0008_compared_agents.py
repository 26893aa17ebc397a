"""The eighth migration: agents whose chats are to be compared with Telegram's."""

EIGHTH = """
CREATE TABLE to_compare (agent_id INTEGER PRIMARY KEY REFERENCES agents (agent_id)) STRICT;
"""
