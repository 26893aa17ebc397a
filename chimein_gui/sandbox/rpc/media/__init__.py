"""Calls about files and stickers."""
