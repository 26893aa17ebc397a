"""The patterns of a voice: words that are searched for in a message."""

import re
import unicodedata
from dataclasses import dataclass, field
from functools import lru_cache

_MARKS = re.compile("[\u0300-\u036f\u064b-\u065f\u0670\u200b-\u200f\u2060\u00ad]")
_QUOTES = re.compile("['’\u02bc`]")
_WORD = re.compile(r"[\w\u0e00-\u0e7f]+")
"""Thai vowels above and below a letter are part of its word."""
_HELD_DOWN = re.compile(r"([^\W\d_])\1{2,}")
_JOINED = re.compile("[\u0600-\u06ff\u0e00-\u0e7f\u3040-\u30ff\u4e00-\u9fff]")
"""Scripts in which words are joined to others, or have no blanks between them."""
_QUESTION = re.compile(r"[^.,;!?،؟\n]*\w[^.,;!?،؟\n]*[?؟]")
_MUCH = 1_000


def plain(text: str) -> str:
    """Normalise a text for comparison: case folded, without accents."""
    return unicodedata.normalize("NFC", _MARKS.sub("", unicodedata.normalize("NFKD", text.casefold())))


def words_of(text: str) -> list[str]:
    """Return the normalised words of a text, without apostrophes."""
    return _WORD.findall(_QUOTES.sub("", plain(text)))


@dataclass(frozen=True, slots=True)
class Words:
    """A message, prepared for patterns.

    Attributes:
        text: The normalised text, at most its first 1,000 characters.
        known: All words, in every form that `in_order` has, and their parts at apostrophes.
        listed: The same words with a blank before and behind each, so that one search finds what begins a word.
        in_order: The words in order, once per form: as written, and with repeated letters reduced.
    """

    text: str
    known: frozenset[str]
    listed: str
    in_order: tuple[tuple[str, ...], ...]

    @property
    def questions(self) -> "tuple[Words, ...]":
        """The questions in it, each from its last comma on; two words or fewer are not taken for a question."""
        asked = map(read_words, _QUESTION.findall(self.text))
        return tuple(one for one in asked if _JOINED.search(one.text) or len(one.in_order[0]) > 2)

    @property
    def has_words(self) -> bool:
        """Whether it has words, not only emoji and punctuation."""
        return bool(self.known)


@lru_cache(maxsize=256)
def read_words(text: str) -> Words:
    """Split a message into words: as written, split at apostrophes, and with “sooo” reduced to “so” and “soo”."""
    text = plain(text[:_MUCH])
    tidied = {text, _HELD_DOWN.sub(r"\1", text), _HELD_DOWN.sub(r"\1\1", text)}
    orders = tuple(tuple(_WORD.findall(_QUOTES.sub("", one))) for one in sorted(tidied))
    parts = _WORD.findall(_QUOTES.sub(" ", text))
    known = frozenset(parts).union(*orders)
    return Words(text, known, f" {' '.join(known)} ", orders)


_Sought = tuple[bool, str]
"""What is searched for: True for anywhere in the text, or False for among the listed words; and the characters."""


@dataclass(frozen=True, slots=True)
class Pattern:
    """Words that must all be in a message.

    Attributes:
        written: The pattern as the file has it.
        wanted: Normalised words that must be there; one that ends in ``*`` is a prefix.
        unwanted: Normalised words that must not be there.
        is_whole: The message must have no other words.
    """

    written: str
    wanted: tuple[str, ...]
    unwanted: tuple[str, ...] = ()
    is_whole: bool = False
    exact: frozenset[str] = field(init=False, repr=False, compare=False)
    """Those of `wanted` that must be words of the message as they are. One look in a set tells whether they are: each
    message is compared with hundreds of patterns, and most of them end there."""
    _others: tuple[_Sought, ...] = field(init=False, repr=False, compare=False)
    """The rest of `wanted`: prefixes, signs, and words of scripts without blanks."""
    _refused: tuple[_Sought, ...] = field(init=False, repr=False, compare=False)
    """What `unwanted` says."""

    def __post_init__(self) -> None:
        object.__setattr__(self, "exact", frozenset(filter(_is_exact, self.wanted)))
        object.__setattr__(self, "_others", tuple(_sought(one) for one in self.wanted if one not in self.exact))
        object.__setattr__(self, "_refused", tuple(map(_sought, self.unwanted)))

    @property
    def rank(self) -> tuple[int, bool, int]:
        """Sort key; the greatest wins: by number of words, then whole messages first, then by number of letters."""
        return len(self.wanted), self.is_whole, sum(map(len, self.wanted))

    def fits(self, words: Words) -> bool:
        """Return whether a message matches."""
        if not self.exact <= words.known:
            return False
        if self.is_whole and not any(self._is_all(order) for order in words.in_order):
            return False
        for is_part, sought in self._others:
            if sought not in (words.text if is_part else words.listed):
                return False
        return not self._refused or all(
            sought not in (words.text if is_part else words.listed) for is_part, sought in self._refused
        )

    def _is_all(self, order: tuple[str, ...]) -> bool:
        if any(map(_JOINED.search, self.wanted)):
            return "".join(order) == "".join(self.wanted)
        return len(order) == len(self.wanted) and all(map(_is, order, self.wanted))


def read_pattern(written: str) -> Pattern:
    """Parse a pattern; its syntax is described at `reading.read_voice`.

    Raises:
        ValueError: It has no word that must be there.
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
    """Split a token of a pattern into words: a hyphen separates two; a sign without letters is kept."""
    found = _WORD.findall(_QUOTES.sub("", token))
    if not found:
        return [token]
    return [*found[:-1], found[-1] + ("*" if token.endswith("*") else "")]


@lru_cache(maxsize=8192)
def _is_part(one: str) -> bool:
    """Return whether a word of a pattern is searched for anywhere in the text: a sign, or one of a joined script."""
    return bool(_JOINED.search(one) or not _WORD.search(one))


def _is_exact(one: str) -> bool:
    return not one.endswith("*") and not _is_part(one)


def _sought(one: str) -> _Sought:
    if _is_part(one):
        return True, one.removesuffix("*")
    return False, f" {one[:-1]}" if one.endswith("*") else f" {one} "


def _is(word: str, one: str) -> bool:
    return word.startswith(one[:-1]) if one.endswith("*") else word == one
