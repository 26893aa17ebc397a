"""Finding what was said: the sentence that answers a question best."""

# ruff: noqa: RUF001 - full-width marks end sentences in Japanese and Chinese

import re
import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache

from chimein_gui.sandbox.model.languages.lexicon import Lexicon

_SENTENCE_END = re.compile(r"(?<=[^\d][.!?…])\s+|(?<=[。！？])\s*")
_NO_WORD = re.compile(r"[\W_]+")
_STEM = 5
_LONGEST = 140
_WANTED_BONUS = 0.3
_UNSAID = 0.6
_LOOK_AHEAD = 4


@dataclass(frozen=True, slots=True)
class Line:
    """Something that was said, and by whom; an empty name where it is remembered or comes from a tool."""

    text: str
    name: str = ""
    own: bool = False

    @property
    def searched(self) -> str:
        """What a question may name: the words and who said them."""
        return f"{self.name} {self.text}"


@dataclass(frozen=True, slots=True)
class Found:
    """A sentence and how much of the question it covers, 0 to about 1.5."""

    sentence: str
    line: Line
    score: float


def sentences(text: str) -> list[str]:
    """Split a text; languages without full stops stay whole."""
    return [part.strip() for part in _SENTENCE_END.split(text) if part.strip()]


def stems(question: str, lexicon: Lexicon) -> tuple[str, ...]:
    """Return the beginnings of the words that mean something."""
    if lexicon.has_blanks:
        words = [word for word in _plain(question).split() if word not in _plain_common(lexicon) and len(word) > 1]
        return tuple(dict.fromkeys(f" {_stem(word)}" for word in words))
    rest = question.casefold()
    for particle in sorted(lexicon.common_words, key=len, reverse=True):
        rest = rest.replace(particle, " ")
    pieces = _NO_WORD.sub(" ", _bare(rest)).split()
    return tuple(dict.fromkeys(piece[at : at + 2] for piece in pieces for at in range(max(1, len(piece) - 1)) if piece))


def find(question: str, lines: Sequence[Line], lexicon: Lexicon, *, wants: str = "") -> Found | None:
    """Return the best sentence, or None if none has a word in common with the question.

    Args:
        question: What is asked.
        lines: Where to look, oldest first.
        lexicon: The language of the question.
        wants: ``when``, ``where``, ``who`` or ``count``, if the question asks for that.
    """
    sought = stems(question, lexicon)
    plain = _plain if lexicon.has_blanks else str.casefold
    folded = [plain(line.searched) for line in lines]
    groups = [(stem, *_synonyms(stem, lexicon)) for stem in sought]
    weights = [_weight(sum(1 for text in folded if _any(group, text))) for group in groups]
    total = sum(weights) or 1.0
    best: Found | None = None
    for index, (line, text) in enumerate(zip(lines, folded, strict=True)):
        if not any(_any(group, text) for group in groups):
            continue
        for sentence in sentences(line.text):
            part = plain(f"{line.name} {sentence}")
            covered = sum(weight for group, weight in zip(groups, weights, strict=True) if _any(group, part)) / total
            if not covered:
                continue
            bonus = _WANTED_BONUS if wants and _offers(sentence, wants, lexicon) else 0.0
            asks = 0.5 if sentence.endswith(("?", "？")) else 1.0
            score = (covered + bonus) * asks + 0.05 * index / len(lines)
            if best is None or score > best.score:
                best = Found(_short(sentence), line, score)
    return best


def corrected(found: Found, lines: Sequence[Line], lexicon: Lexicon) -> Found:
    """Return what replaced a sentence later: the same person's “actually, make it the library”."""
    at = next((index for index, line in enumerate(lines) if line is found.line), len(lines))
    theirs = [line for line in lines[at + 1 :] if line.name == found.line.name and line.name]
    known = set(stems(found.sentence, lexicon))
    for place, line in enumerate(theirs[:_LOOK_AHEAD]):
        related = place == 0 or known & set(stems(line.text, lexicon))
        if related and lexicon.says("correct", line.text) and not line.text.endswith(("?", "？")):
            found = Found(_short(line.text), line, found.score)
    return found


def _weight(mentions: int) -> float:
    """Weigh a word of the question: rare ones tell most; what nobody ever said is no reason to doubt the rest."""
    return 1.0 / (1 + 0.5 * mentions) + 0.2 if mentions else _UNSAID


def _stem(word: str) -> str:
    return word[: min(_STEM, len(word) - 1)] if len(word) >= _STEM else word


def _offers(sentence: str, wants: str, lexicon: Lexicon) -> bool:
    if wants == "when":
        return lexicon.says("time", sentence) is not None
    if wants == "where":
        return lexicon.says("place", sentence) is not None
    if wants == "count":
        return any(letter.isdigit() for letter in sentence)
    return wants == "who" and any(word[:1].isupper() for word in sentence.split()[1:])


def _short(sentence: str) -> str:
    return sentence if len(sentence) <= _LONGEST else sentence[: _LONGEST - 1].rsplit(" ", 1)[0] + "…"


def _any(group: Iterable[str], text: str) -> bool:
    return any(stem in text for stem in group)


@lru_cache(maxsize=512)
def _synonyms(stem: str, lexicon: Lexicon) -> tuple[str, ...]:
    """Return the stems that mean the same."""
    edge = " " if lexicon.has_blanks else ""
    same: list[str] = []
    for group in lexicon.synonyms:
        words = [f"{edge}{_stem(_plain(word).strip())}" if edge else word for word in group.split()]
        if stem in words or (not edge and any(stem in word for word in words)):
            same += (word for word in words if word != stem)
    return tuple(same)


def _plain(text: str) -> str:
    """Lower case, without accents and punctuation, a blank in front of every word."""
    return " " + _NO_WORD.sub(" ", _bare(text.casefold()))


def _bare(text: str) -> str:
    if text.isascii():
        return text
    decomposed = unicodedata.normalize("NFKD", text)
    return "".join(letter for letter in decomposed if not ("\u0300" <= letter <= "\u036f"))


@lru_cache(maxsize=32)
def _plain_common(lexicon: Lexicon) -> frozenset[str]:
    return frozenset(word for one in lexicon.common_words for word in _plain(one).split())
