"""Adapters for files: configuration, memories, media, diagnostics."""
