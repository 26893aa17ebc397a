"""Telethon's client and what carries it: sockets, proxies, keys, sessions, the book of updates."""
