"""The patterns of a voice: a few words that are looked for in a message."""

import re
import unicodedata
from dataclasses import dataclass
from functools import lru_cache

_MARKS = re.compile("[\u0300-\u036f\u064b-\u065f\u0670\u200b-\u200f\u2060\u00ad]")
_QUOTES = re.compile("['’\u02bc`]")
_WORD = re.compile(r"[\w\u0e00-\u0e7f]+")
"""The vowels of Thai that stand above and below a letter belong to its word."""
_HELD_DOWN = re.compile(r"([^\W\d_])\1{2,}")
_JOINED = re.compile("[\u0600-\u06ff\u0e00-\u0e7f\u3040-\u30ff\u4e00-\u9fff]")
"""Scripts whose words carry other words with them, or stand without blanks."""
_QUESTION = re.compile(r"[^.,;!?،؟\n]*\w[^.,;!?،؟\n]*[?؟]")
_MUCH = 1_000


def plain(text: str) -> str:
    """Return a text as it is compared: case folded, without accents."""
    return unicodedata.normalize("NFC", _MARKS.sub("", unicodedata.normalize("NFKD", text.casefold())))


def words_of(text: str) -> list[str]:
    """Return the words of a text as they are compared, apostrophes left out."""
    return _WORD.findall(_QUOTES.sub("", plain(text)))


@dataclass(frozen=True, slots=True)
class Words:
    """A message as patterns see it."""

    text: str
    known: frozenset[str]
    in_order: tuple[tuple[str, ...], ...]

    @property
    def questions(self) -> "tuple[Words, ...]":
        """What is asked in it, each question from its last comma on; two words alone ask nothing."""
        asked = map(read_words, _QUESTION.findall(self.text))
        return tuple(one for one in asked if _JOINED.search(one.text) or len(one.in_order[0]) > 2)

    @property
    def has_words(self) -> bool:
        """Something stands in it that is no emoji and no punctuation."""
        return bool(self.known)


@lru_cache(maxsize=256)
def read_words(text: str) -> Words:
    """Cut a message into words: as written, in parts where an apostrophe stands, and without letters held down."""
    text = plain(text[:_MUCH])
    tidied = {text, _HELD_DOWN.sub(r"\1", text), _HELD_DOWN.sub(r"\1\1", text)}
    orders = tuple(tuple(_WORD.findall(_QUOTES.sub("", one))) for one in sorted(tidied))
    parts = _WORD.findall(_QUOTES.sub(" ", text))
    return Words(text, frozenset(parts).union(*orders), orders)


@dataclass(frozen=True, slots=True)
class Pattern:
    """Words that all have to be in a message.

    Attributes:
        written: As it stands in the file.
        wanted: Each as it is compared; one that ends in ``*`` is the beginning of a word.
        unwanted: What must not be there.
        is_whole: It has to be all there is.
    """

    written: str
    wanted: tuple[str, ...]
    unwanted: tuple[str, ...] = ()
    is_whole: bool = False

    @property
    def rank(self) -> tuple[int, bool, int]:
        """The greater, the rather it counts: words, then whole messages, then letters."""
        return len(self.wanted), self.is_whole, sum(map(len, self.wanted))

    def fits(self, words: Words) -> bool:
        """Tell whether a message is meant."""
        if self.is_whole and not any(self._is_all(order) for order in words.in_order):
            return False
        return all(_has(words, one) for one in self.wanted) and not any(_has(words, one) for one in self.unwanted)

    def _is_all(self, order: tuple[str, ...]) -> bool:
        if any(map(_JOINED.search, self.wanted)):
            return "".join(order) == "".join(self.wanted)
        return len(order) == len(self.wanted) and all(map(_is, order, self.wanted))


def read_pattern(written: str) -> Pattern:
    """Read a pattern.

    Raises:
        ValueError: It asks for nothing.
    """
    is_whole, rest = written.startswith("="), written.removeprefix("=")
    wanted: list[str] = []
    unwanted: list[str] = []
    for token in plain(rest).split():
        (unwanted if token.startswith("!") and len(token) > 1 else wanted).extend(_pieces(token.removeprefix("!")))
    if not wanted:
        raise ValueError("a pattern needs a word that has to be there")
    return Pattern(written, tuple(wanted), tuple(unwanted), is_whole)


def _pieces(token: str) -> list[str]:
    """Return what one word of a pattern is compared as: a word with a hyphen is two, a sign stays a sign."""
    found = _WORD.findall(_QUOTES.sub("", token))
    if not found:
        return [token]
    return [*found[:-1], found[-1] + ("*" if token.endswith("*") else "")]


def _has(words: Words, one: str) -> bool:
    if _JOINED.search(one) or not _WORD.search(one):
        return one.removesuffix("*") in words.text
    if one.endswith("*"):
        return any(word.startswith(one[:-1]) for word in words.known)
    return one in words.known


def _is(word: str, one: str) -> bool:
    return word.startswith(one[:-1]) if one.endswith("*") else word == one
