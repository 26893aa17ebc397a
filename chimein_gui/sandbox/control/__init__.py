"""Driving the sandbox: the console, and the channel that serves it to another process."""
