"""Copies parts of a prompt, and writes a prompt into a file."""

from __future__ import annotations

from PySide6.QtGui import QGuiApplication


def copy_text(text: str) -> None:
    """Copy a text of a prompt; half characters of UTF-16 are replaced."""
    QGuiApplication.clipboard().setText(text.encode("utf-16", "surrogatepass").decode("utf-16", "replace"))
