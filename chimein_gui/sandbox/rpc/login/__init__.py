"""Calls about logging in, and what a client asks before."""
