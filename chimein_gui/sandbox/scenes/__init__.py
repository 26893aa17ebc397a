"""Scenes: scripted conversations that partners play by themselves."""
