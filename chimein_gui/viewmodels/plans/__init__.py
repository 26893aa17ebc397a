"""The plan of the chat in sight, step by step: its picture, its edits, and earlier plans."""
