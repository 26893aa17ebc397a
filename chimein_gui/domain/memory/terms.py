"""The terms by which a memory is found: its words, their pieces, and the subjects it is about.

A question seldom has the words of the entry that answers it. Pieces of words find other forms of a name or a word.
Subjects find other words for the same thing: `resources/memory/topics.txt` has them in eight languages.
"""

from __future__ import annotations

import re
import unicodedata
import zlib
from collections import Counter
from functools import cache, lru_cache
from typing import TYPE_CHECKING, NamedTuple

from chimein_gui.resource_files import resource_path

if TYPE_CHECKING:
    from collections.abc import Iterator

VERSION = 1
"""Raised with every change of this module that makes other terms."""

TOPIC_WEIGHT, WIDER_WEIGHT = 8, 4
"""How much a subject and a wider subject count, beside a word or a piece of one, which count 1 each time they occur;
chosen with the half `tune` of tests/benchmarks/memory/data.
"""

PIECE = 4
"""Letters of a piece of a word."""
PAIR = 2
"""Letters of a piece where no blanks are between words."""
LEAST_LETTERS = 3
"""Letters that an Arabic word has at least without its article."""
MOST_WORDS = 2000
"""Words of a text that are looked at; one entry has seldom more than fifty."""
_LONGEST_BEGINNING = 16
_LONGEST_IDEOGRAPHS = 6
_WORDS_KEPT = 4096
_MOST = 255
"""The index stores weights in bytes."""

_WORD = re.compile(r"\w+")
_WITHOUT_BLANKS = re.compile("[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff]+")
"""Scripts that put no blanks between words: Thai, Lao, Burmese, Khmer, kana, Chinese characters."""
_VOWEL_WITH_E = re.compile("([aou])e")
_ARABIC = re.compile("[\u0600-\u06ff]")
_ARABIC_LETTERS = str.maketrans({"ى": "ي", "ة": "ه", "ـ": None})  # noqa: RUF001 - Arabic letters
_ARABIC_ARTICLES = ("وال", "بال", "فال", "كال", "عال", "هال", "لل", "ال")
_ARABIC_PREFIXES = (*_ARABIC_ARTICLES, "و", "ب", "ل", "ف", "ع", "ه")  # noqa: RUF001 - Arabic letters


class Topics(NamedTuple):
    """Subjects by how words for them begin, by whole words, and by runs of ideographs anywhere.

    Attributes:
        beginnings: Beginning of a word → its subjects.
        words: Whole word → its subjects.
        ideographs: Chinese or Japanese word → its subjects.
        wider: Subject → the wider ones that it belongs to.
    """

    beginnings: dict[str, frozenset[str]]
    words: dict[str, frozenset[str]]
    ideographs: dict[str, frozenset[str]]
    wider: dict[str, frozenset[str]]


def folded(text: str) -> str:
    """Return a text without case and marks; spellings of one letter become the same."""
    text = text.casefold()
    if not text.isascii():
        parts = unicodedata.normalize("NFKD", text)
        text = "".join(one for one in parts if not unicodedata.combining(one)).translate(_ARABIC_LETTERS)
    return _VOWEL_WITH_E.sub(r"\1", text)


def terms_of(text: str) -> dict[str, int]:
    """Return the terms of an entry or a query with their weights, 1 to 255; the first letter is their kind."""
    words, runs = _words_of(folded(text))
    weights: Counter[str] = Counter()
    topics = set[str]()
    for word in words:
        terms, found = _of_word(word)
        weights.update(terms)
        topics |= found
    for run in runs:
        weights.update("p" + run[place : place + PAIR] for place in range(max(1, len(run) - PAIR + 1)))
        topics |= _topics_of_run(run)
    for topic in topics:
        weights["t" + topic] = TOPIC_WEIGHT
        for wider in read_topics().wider[topic]:
            weights["v" + wider] = WIDER_WEIGHT
    return {term: weight if weight < _MOST else _MOST for term, weight in weights.items()}


def _words_of(text: str) -> tuple[list[str], list[str]]:
    """Return the words of a folded text, and its runs of letters that have no blanks between words."""
    words: list[str] = []
    runs: list[str] = []
    for count, match in enumerate(_WORD.finditer(text)):
        if count == MOST_WORDS:
            break
        word, place = match[0], 0
        for run in _WITHOUT_BLANKS.finditer(word):
            words += [word[place : run.start()]] if run.start() > place else []
            runs.append(run[0])
            place = run.end()
        words += [word[place:]] if place < len(word) else []
    return words, runs


def _pieces_of(word: str) -> Iterator[str]:
    """Yield the pieces of a word; a 0 marks its beginning and its end."""
    marked = f"0{word}0"
    for place in range(max(1, len(marked) - PIECE + 1)):
        yield marked[place : place + PIECE]


def _without_article(word: str) -> str:
    """Return an Arabic word without its article, any other as it is."""
    if _ARABIC.match(word):
        for article in _ARABIC_ARTICLES:
            if word.startswith(article) and len(word) - len(article) >= LEAST_LETTERS:
                return word[len(article) :]
    return word


@lru_cache(maxsize=_WORDS_KEPT)
def _of_word(word: str) -> tuple[tuple[str, ...], frozenset[str]]:
    """Return the terms of a word, and its subjects; the newest words are kept, because few words are most of a text."""
    topics, found = read_topics(), set[str]()
    for form in _forms_of(word):
        found |= topics.words.get(form, frozenset())
        for length in range(2, min(len(form), _LONGEST_BEGINNING) + 1):
            found |= topics.beginnings.get(form[:length], frozenset())
    bare = _without_article(word)
    return ("w" + bare, *("p" + piece for piece in _pieces_of(bare))), frozenset(found)


def _topics_of_run(run: str) -> set[str]:
    """Return the subjects of letters that have no blanks between words."""
    ideographs, found = read_topics().ideographs, set[str]()
    for place in range(len(run)):
        for length in range(1, _LONGEST_IDEOGRAPHS + 1):
            found |= ideographs.get(run[place : place + length], frozenset())
    return found


def _forms_of(word: str) -> Iterator[str]:
    """Yield a word; an Arabic one also without what is written together with it."""
    yield word
    if _ARABIC.match(word):
        for prefix in _ARABIC_PREFIXES:
            if word.startswith(prefix) and len(word) > len(prefix) + 1:
                yield word[len(prefix) :]


def terms_version() -> int:
    """Return a number, 0 to 2 ** 31, that is another one when the terms of texts are others."""
    return zlib.crc32(f"{VERSION} {_topics_text()}".encode()) >> 1


def _topics_text() -> str:
    return resource_path("memory", "topics.txt").read_text(encoding="utf-8")


@cache
def read_topics() -> Topics:
    """Read the subjects, once; about 5 ms."""
    topics = Topics({}, {}, {}, {})
    topic = ""
    for line in _topics_text().splitlines():
        if line.endswith(":"):
            topic, _, wider = line[:-1].partition(" (")
            topics.wider[topic] = frozenset(filter(None, wider.removesuffix(")").split(", ")))
        elif line.startswith("  "):
            for word in line.split():
                _add(topics, topic, word)
    return topics


def _add(topics: Topics, topic: str, word: str) -> None:
    form = folded(word.rstrip("."))
    whole = topics.words if word.endswith(".") else topics.beginnings
    table = topics.ideographs if _WITHOUT_BLANKS.match(form) else whole
    table[form] = table.get(form, frozenset()) | {topic}
