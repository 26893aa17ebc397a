"""Calls for logging in, and those that clients make before."""
