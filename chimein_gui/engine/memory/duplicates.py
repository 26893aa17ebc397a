"""Finds the entry of a memory file that says the same as a new text, or nearly so.

By words two texts are the same if they differ only in case, accents, punctuation and small words such as articles. A
negation and a number always count. By meaning they are the same if their vectors are all but parallel, and they have
the same negations and numbers.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from chimein_gui.domain.errors import RefusedError
from chimein_gui.domain.memory.files import entries_of, mark_of
from chimein_gui.domain.memory.orders.words import all_words_of

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Mapping, Sequence

    from chimein_gui.domain.memory.entries import MemoryEntry, MemoryFile
    from chimein_gui.engine.ports import MemoryFiles

    Meaning = Callable[[str], float | None]
    Alike = Callable[[MemoryFile, str], Awaitable[Mapping[str, float]]]

SAME_MEANING = 0.96
"""Cosine from which two texts mean the same."""


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
    """The entry that is nearest to a text.

    Attributes:
        entry: The entry.
        score: 0 to 1; the share of common words, or the cosine if that is higher.
        is_same: It says the same, so the text need not be stored.
    """

    entry: MemoryEntry
    score: float
    is_same: bool


def nearest(entries: Sequence[MemoryEntry], text: str, meaning: Meaning | None = None) -> Near | None:
    """Return the entry that is nearest to a text; None without entries.

    Args:
        entries: The entries of one file.
        text: What may be in it already.
        meaning: Returns the cosine of the vectors of an entry's text and of `text`; None if one has no vector. Without
            it only words count.
    """
    mine = _Said.of(text)
    best: Near | None = None
    for entry in entries:
        near = _compare(mine, entry, meaning)
        if best is None or (near.is_same, near.score) > (best.is_same, best.score):
            best = near
    return best


def _compare(mine: _Said, entry: MemoryEntry, meaning: Meaning | None) -> Near:
    other = _Said.of(entry.text)
    if mine.core == other.core and mine.core:
        return Near(entry, 1.0, is_same=True)
    common = len(mine.words & other.words)
    score = common / max(1, len(mine.words | other.words))
    cosine = meaning(entry.text) if meaning is not None else None
    if cosine is None:
        return Near(entry, score, is_same=False)
    is_same = cosine >= SAME_MEANING and mine.marks == other.marks
    return Near(entry, max(score, min(1.0, cosine)), is_same)


async def by_words_alone(_file: MemoryFile, _text: str) -> Mapping[str, float]:
    """Return nothing: without vectors only words count."""
    return {}


async def said_already(files: MemoryFiles, file: MemoryFile, text: str, key: str, alike: Alike) -> MemoryEntry | None:
    """Return the entry of a file that says the same as a text; None also if the text itself stands there with its key.

    Args:
        files: The memory files.
        file: Which one.
        text: What may be in it already.
        key: The key that an entry of this very text has.
        alike: Returns the cosines of entries that mean about the same; it is asked if the words are others.

    Raises:
        RefusedError: The file can't be read; says why.
    """
    found = await files.text(file)
    if found.problem is not None:
        raise RefusedError(found.problem)
    if mark_of(key) in found.text:
        return None
    entries = entries_of(found.text)
    near = nearest(entries, text)
    if near is not None and not near.is_same:
        cosines = await alike(file, text)
        near = nearest(entries, text, lambda one: cosines.get(one.strip()))
    return near.entry if near is not None and near.is_same else None


@dataclass(frozen=True, slots=True)
class _Said:
    """What of a text is compared.

    Attributes:
        core: Its words in order, without small ones.
        words: The same, without their order.
        marks: Its negations and numbers.
    """

    core: tuple[str, ...]
    words: frozenset[str]
    marks: tuple[str, ...]

    @classmethod
    def of(cls, text: str) -> _Said:
        words = all_words_of(text)
        core = tuple(_ABOUT.get(one, one) for one in words if one not in _SMALL or one in _ABOUT) or words
        numbers = [one for one in words if any(letter.isdigit() for letter in one)]
        negations = ["not" for one in words if one in _NEGATIONS or any(mark in one for mark in _UNSPACED_NEGATIONS)]
        return cls(core, frozenset(core), (*sorted(numbers), *negations))
