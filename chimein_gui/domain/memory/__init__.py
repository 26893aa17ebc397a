"""Memories: the entries of memory files, and who may see them. It stands on the standard library."""
