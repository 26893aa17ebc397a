"""The first words of a message in the form in which wordings are compared."""

# ruff: noqa: RUF001 - full-width marks look like others

from __future__ import annotations

import unicodedata
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

MOST_CHARACTERS = 120
"""Characters at the start of a message in which a wording is looked for."""

COLONS = ":："
COMMAS = ",，、،"
DASHES = "-–—"
BETWEEN = f"{COMMAS}{COLONS}{DASHES}.!！。;；…~～()*•¡@"
"""Marks that may stand before a wording; quotes and question marks may not."""

_APOSTROPHES = dict.fromkeys(map(ord, "’‘ʼ`´′"), "'")
_KEEPS_MARKS = range(0x0600, 0xFE00)
"""Scripts whose marks tell words apart, as Japanese ones; except Latin letters with accents, which are among them."""
_LATIN_WITH_ACCENTS = range(0x1E00, 0x2000)


def folded(text: str) -> str:
    """Return a text without case, accents and kinds of apostrophes."""
    return "".join(plain for plain, _ in _characters(text))


def words_of(text: str) -> tuple[str, ...]:
    """Return the folded words at the start of a text."""
    return WordHead.of(text).words


def all_words_of(text: str) -> tuple[str, ...]:
    """Return all folded words of a text."""
    return tuple("".join(one if one.isalnum() or one in "'_" else " " for one in folded(text)).split())


def is_made_of(gap: str, marks: str = "") -> bool:
    """Tell whether a text holds nothing but blanks, pictures and some marks."""
    return all(one.isspace() or one in marks or unicodedata.category(one) in {"So", "Sk", "Mn", "Cf"} for one in gap)


def _characters(text: str) -> Iterator[tuple[str, int]]:
    """Yield folded characters, and the place of each in the text."""
    for place, character in enumerate(text):
        plain = character.translate(_APOSTROPHES)
        if "a" <= plain <= "z" or plain == " ":  # most of them, and this is looked at for every message
            yield plain, place
            continue
        code = ord(plain[0])
        if code in _KEEPS_MARKS and code not in _LATIN_WITH_ACCENTS:
            yield plain, place
            continue
        for one in unicodedata.normalize("NFKD", plain).casefold():
            if not unicodedata.combining(one):
                yield one, place


Phrases: TypeAlias = "Mapping[str, tuple[tuple[str, ...], ...]]"
"""Phrases as folded words, by their first one."""


def phrases_of(texts: Iterable[str]) -> Phrases:
    """Return texts as phrases; what has no word is left out."""
    found: dict[str, tuple[tuple[str, ...], ...]] = {}
    for words in filter(None, map(words_of, texts)):
        found[words[0]] = (*found.get(words[0], ()), words)
    return found


@dataclass(frozen=True, slots=True)
class WordHead:
    """The first words of a message, folded.

    Attributes:
        text: The whole message.
        words: Its words within the first characters.
        starts: Where each begins in the text.
        ends: Where each ends.
    """

    text: str
    words: tuple[str, ...]
    starts: tuple[int, ...]
    ends: tuple[int, ...]

    @classmethod
    def of(cls, text: str) -> WordHead:
        """Read the first words of a text."""
        words: list[str] = []
        starts: list[int] = []
        ends: list[int] = []
        in_word = False
        for one, place in _characters(text[:MOST_CHARACTERS]):
            if not (one.isalnum() or one in "'_"):
                in_word = False
            elif in_word:
                words[-1] += one
                ends[-1] = place + 1
            else:
                in_word = True
                words.append(one)
                starts.append(place)
                ends.append(place + 1)
        return cls(text, tuple(words), tuple(starts), tuple(ends))

    def end_before(self, place: int) -> int:
        """Return where the word before a place ends in the text."""
        return self.ends[place - 1] if place else 0

    def gap(self, place: int) -> str:
        """Return what stands before a word; behind the last one some characters more."""
        begin = self.end_before(place)
        return self.text[begin : self.starts[place] if place < len(self.words) else begin + MOST_CHARACTERS]

    def has(self, place: int, words: Sequence[str]) -> bool:
        """Tell whether words stand at a place, with blanks or hyphens between them."""
        if self.words[place : place + len(words)] != tuple(words):
            return False
        return all(is_made_of(self.gap(place + number), DASHES) for number in range(1, len(words)))

    def skipped(self, place: int, phrases: Phrases, marks: str = "") -> int:
        """Return the place behind a phrase, the longest that stands there; the same place without one.

        Args:
            place: Where to look.
            phrases: The phrases.
            marks: Marks that may stand before the phrase.
        """
        some = phrases.get(self.words[place]) if place < len(self.words) else None
        if some is None or not is_made_of(self.gap(place), marks):
            return place
        return place + max((len(one) for one in some if self.has(place, one)), default=0)

    def behind_mark(self, place: int, marks: str) -> str:
        """Return the text behind a mark that follows the word before a place; empty without such a mark."""
        gap, begin = self.gap(place), self.end_before(place)
        found = next((number for number, one in enumerate(gap) if one in marks), None)
        if found is None or not is_made_of(gap[:found]):
            return ""
        return self.text[begin + found + 1 :]
