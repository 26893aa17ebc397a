"""Quotation marks, as the language of the window has them."""

from __future__ import annotations

from PySide6.QtCore import QCoreApplication


def quoted(words: str) -> str:
    """Return words in quotation marks."""
    return QCoreApplication.translate("Quotes", "“{words}”").replace("{words}", words)
