"""Answers without an API key: reads the prompt and finds what scenarios and voices have for it."""
