"""Buttons, form fields and other input widgets."""
