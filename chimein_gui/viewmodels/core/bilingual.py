"""Texts in the operator's language that know their English, so that a search finds them by both."""

from PySide6.QtCore import QCoreApplication

_look_up = QCoreApplication.translate
"""Under a name of its own: lupdate finds the texts where they are given to `translate`."""


class Words(str):
    """A text in the operator's language, with its English."""

    english = ""

    def format(self, *args: object, **kwargs: object) -> "Words":
        """Fill both texts."""
        words = Words(super().format(*args, **kwargs))
        words.english = self.english.format(*args, **kwargs)
        return words


def translate(context: str, text: str) -> Words:
    """Return a text in the operator's language, with its English."""
    words = Words(_look_up(context, text))
    words.english = text
    return words


def search_words(*texts: str) -> str:
    """Return texts in the operator's language, and in English those that know it."""
    return " ".join((*texts, *(one.english for one in texts if isinstance(one, Words))))
