"""The simulated Telegram's state: people, groups, and the boxes with their messages."""
