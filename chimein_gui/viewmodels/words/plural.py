"""Translates marked texts with numbers in them."""

from PySide6.QtCore import QCoreApplication


def with_number(context: str, text: str, number: int) -> str:
    """Return a marked text translated, in the plural form for the number.

    Qt looks only for plural forms if it is given a number, so a text without ``%n`` would stay in English.
    """
    return QCoreApplication.translate(context, text, "", number if "%n" in text else -1)
