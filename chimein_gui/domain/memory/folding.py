"""Folded texts: what counts as the same memory, whatever its case, punctuation and spaces."""

from __future__ import annotations

import hashlib
import re
import unicodedata

_BETWEEN = re.compile(r"[\W_]+")


def folded(text: str) -> str:
    """Return a text without case, punctuation and differences of Unicode forms; words stand one blank apart."""
    return _BETWEEN.sub(" ", unicodedata.normalize("NFKC", text).casefold()).strip()


def folded_hash(text: str) -> str:
    """Return the SHA-256 of a folded text, in hexadecimal digits; a text without a word stands for itself."""
    return hashlib.sha256((folded(text) or text.strip()).encode("utf-8", "surrogatepass")).hexdigest()
