"""Dialogs, opened with open() and never with exec()."""
