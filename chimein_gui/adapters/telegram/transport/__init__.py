"""Telethon's client and its transport: sockets, proxies, keys, sessions, the message box."""
