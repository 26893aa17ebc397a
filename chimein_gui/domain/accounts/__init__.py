"""Accounts and chats: log-in, proxies, moves, zones."""
