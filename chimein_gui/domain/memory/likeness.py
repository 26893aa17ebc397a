"""How like two memories are, by their words and by their meaning, and one text that says both.

By words two texts are the same if they differ only in case, accents, punctuation and small words such as articles. A
negation, a number and signs such as + and € always count; pictures count where both texts have some. By meaning they
are the same if their vectors are all but parallel, and they have the same negations, numbers and signs.
"""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING

from chimein_gui.domain.memory.folding import folded
from chimein_gui.domain.memory.orders.words import all_words_of

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    Meaning = Callable[[str], float | None]
    """Returns the cosine of the vectors of a stored text and of the new one; None if one has no vector."""

SAME_MEANING = 0.96
"""Cosine from which two texts mean the same."""
ALIKE_MEANING = 0.8
"""Cosine from which two texts are about the same; vectors of unlike texts are far from perpendicular, too."""
ALIKE_WORDS = 0.5
"""Share of common words, or of common pieces of words, from which two texts are about the same."""
_PIECE = 3
_SIGNS = re.compile(r"[+%‰°€$£¥₴₽<>=]|(?<=\w)#|(?<![\w-])-(?=\d)")
_ENDS = tuple(".!?…。！？")  # noqa: RUF001 - the marks of East Asian sentences


def _words(*lines: str) -> frozenset[str]:
    return frozenset(word for line in lines for word in line.split())


_SMALL = _words(
    "a an the is are am was be been that this to of and i'm im my der die das ein eine ist bin sind und dass",
    "mein meine le la les un une est suis et que mon ma el los las una es soy y mi il lo gli sono e che mio mia",
    "o os as um uma sou meu minha и что это є і що це",
)
"""Words without which a text says the same, except for who it is about."""
_ABOUT = {"i'm": "i", "im": "i", "i've": "i", "my": "my", "bin": "ich"}
"""Small words that also say who it is about."""
_NEGATIONS = _words(
    "not no never n't don't doesn't didn't isn't aren't can't won't cannot without nicht kein keine keinen nie ohne ne",
    "pas jamais sans non mai senza nao nunca sem sin tampoco не нет никогда без ні ніколи",
)
_UNSPACED_NEGATIONS = ("不", "没", "沒", "别", "別", "ない", "ません", "なく")


@dataclass(frozen=True, slots=True)
class Near:
    """The text that is nearest to another one.

    Attributes:
        place: Its place among those that were compared, from 0.
        words: 0 to 1: the share of common words, or of common pieces of three letters if that is higher.
        meaning: The cosine of the vectors, at most 1; None if one of the two has none.
        is_same: It says the same, so the other one need not be stored.
    """

    place: int
    words: float
    meaning: float | None
    is_same: bool

    @property
    def score(self) -> float:
        """Return how like they are, 0 to 1: by words or by meaning, whichever says more."""
        return max(self.words, self.meaning or 0.0)

    @property
    def is_alike(self) -> bool:
        """Return whether they are about the same."""
        by_meaning = self.meaning is not None and self.meaning >= ALIKE_MEANING
        return self.is_same or by_meaning or self.words >= ALIKE_WORDS

    @property
    def is_by_meaning(self) -> bool:
        """Return whether meaning says more than words; a cosine alone, below the bound, says nothing."""
        return self.meaning is not None and self.meaning >= ALIKE_MEANING and self.meaning > self.words


def nearest(texts: Sequence[str], text: str, meaning: Meaning | None = None) -> Near | None:
    """Return which of some stored texts is nearest to a new one; None without texts.

    Args:
        texts: What is stored.
        text: What may be in it already.
        meaning: How like a stored text is by meaning. Without it only words count.
    """
    mine = _said(text)
    best: Near | None = None
    for place, stored in enumerate(texts):
        near = _compare(mine, stored, place, meaning)
        if best is None or _rank(near) > _rank(best):
            best = near
    return best


def merged(old: str, new: str) -> str:
    """Return a text that says what both say: one of them if it has all words of the other, else both."""
    first, second = set(folded(old).split()), set(folded(new).split())
    if first <= second:
        return new
    if second <= first:
        return old
    begin = old.strip()
    return f"{begin}{'' if begin.endswith(_ENDS) else '.'} {new.strip()}"


def _rank(near: Near) -> tuple[bool, bool, float]:
    return near.is_same, near.is_alike, near.score


def _compare(mine: _Said, stored: str, place: int, meaning: Meaning | None) -> Near:
    other = _said(stored)
    has_same_pictures = not (mine.pictures and other.pictures) or mine.pictures == other.pictures
    if mine.core == other.core and mine.core and mine.signs == other.signs and has_same_pictures:
        return Near(place, 1.0, None, is_same=True)
    words = max(_share(mine.words, other.words), _share(mine.pieces, other.pieces))
    cosine = meaning(stored) if meaning is not None else None
    if cosine is None:
        return Near(place, words, None, is_same=False)
    has_same_marks = (mine.marks, mine.signs) == (other.marks, other.signs)
    return Near(place, words, min(1.0, cosine), is_same=cosine >= SAME_MEANING and has_same_marks)


def _share(one: frozenset[str], other: frozenset[str]) -> float:
    return 2 * len(one & other) / (len(one) + len(other)) if one and other else 0.0


@dataclass(frozen=True, slots=True)
class _Said:
    """What of a text is compared.

    Attributes:
        core: Its words in order, without small ones.
        words: The same, without their order.
        marks: Its negations and numbers.
        signs: Signs that change what it says, such as those of *C++*, *5 €* and *-3*.
        pictures: Its pictures.
        pieces: Its pieces of three letters, over all words.
    """

    core: tuple[str, ...]
    words: frozenset[str]
    marks: tuple[str, ...]
    signs: tuple[str, ...]
    pictures: tuple[str, ...]
    pieces: frozenset[str]


@lru_cache(maxsize=4096)
def _said(text: str) -> _Said:
    """Return what of a text is compared; the newest are kept, because each entry is compared with each proposal."""
    words = all_words_of(text)
    core = tuple(_ABOUT.get(one, one) for one in words if one not in _SMALL or one in _ABOUT) or words
    numbers = [one for one in words if any(letter.isdigit() for letter in one)]
    negations = ["not" for one in words if one in _NEGATIONS or any(mark in one for mark in _UNSPACED_NEGATIONS)]
    padded = f" {' '.join(words)} "
    pieces = frozenset(padded[start : start + _PIECE] for start in range(len(padded) - _PIECE + 1))
    signs = tuple(_SIGNS.findall(text))
    pictures = tuple(one for one in text if unicodedata.category(one) == "So") if not text.isascii() else ()
    return _Said(core, frozenset(core), (*sorted(numbers), *negations), signs, pictures, pieces)
