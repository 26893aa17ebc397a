"""Agents and their accounts: health, log-in, proxies, the first-run wizard."""
