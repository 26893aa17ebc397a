"""A planned message in its chat: its status, the changes in the conversation, and the steps after it."""
