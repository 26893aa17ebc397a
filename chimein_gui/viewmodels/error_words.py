"""Why the sandbox refused something, in words."""

from __future__ import annotations


def error_words(error: Exception) -> str:
    """Return why something was refused; never empty."""
    # A KeyError's own words are quoted by str().
    words = str(error.args[0]) if isinstance(error, KeyError) and error.args else str(error)
    return words or type(error).__name__
