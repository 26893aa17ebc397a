"""Dialogs. They are opened with open(), never with exec(), which would start a nested event loop."""
