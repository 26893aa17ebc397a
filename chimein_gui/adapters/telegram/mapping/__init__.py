"""From Telethon's objects to ours and back; pure functions."""
