"""Detects the language of a text by its script, else by its function words."""

import re
from collections.abc import Iterable, Mapping, Sequence
from functools import cache, lru_cache

from chimein_gui.resource_files import resource_path
from chimein_gui.sandbox.text_files import read_text

_SCRIPTS = (
    ("th", re.compile("[\u0e00-\u0e7f]")),
    ("ar", re.compile("[\u0600-\u06ff]")),
    ("ja", re.compile("[\u3040-\u30ff]")),
    ("ru", re.compile("[\u0400-\u04ff]")),
    ("zh", re.compile("[\u4e00-\u9fff]")),
)
_TELLING = {"de": "äöüß", "pt": "ãõ", "fr": "ëîïûœ", "es": "ñ¿¡", "it": "ìò"}
"""Letters that hardly any other language has."""
_SHORT_AND_CLEAR = frozenset({"hi", "oi", "ja"})
_WORD = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)*")
_NO_WORDS = re.compile(r"https?://\S+|[@#]\w+")
_MUCH = 600
_CLEAR = 0.75


@cache
def _small_words() -> Mapping[str, frozenset[str]]:
    """Return the function words of each language; the file has one line per language."""
    lines = read_text(resource_path("sandbox", "small_words.txt")).splitlines()
    pairs = (line.partition(": ") for line in lines if line and not line.startswith("#"))
    return {code: frozenset(words.replace("'", "").split()) for code, _, words in pairs}


@lru_cache(maxsize=4096)
def detect(text: str) -> str:
    """Return the code of a text's language; empty if it can't be told."""
    text = _NO_WORDS.sub(" ", text[:_MUCH])
    if not text.isascii() and (code := _by_script(text)):
        return code
    scores = _scores(text)
    best, second = sorted(scores.values(), reverse=True)[:2]
    return max(scores, key=lambda code: scores[code]) if best >= _CLEAR and best - second >= _CLEAR / 3 else ""


def _by_script(text: str) -> str:
    letters = sum(map(str.isalpha, text))
    for code, script in _SCRIPTS:
        found = len(script.findall(text))
        if found and found * 3 >= letters:
            return code
    return ""


def _scores(text: str) -> dict[str, float]:
    """Score each language by its words in the text; a word counts more, the fewer languages have it."""
    folded = text.casefold()
    words = [word.replace("’", "").replace("'", "") for word in _WORD.findall(folded)]
    words += [parts[-1] for word in _WORD.findall(folded) if len(parts := re.split("['’]", word)) > 1]
    scores = dict.fromkeys(_small_words(), 0.0)
    for word in words:
        for code in _languages().get(word, ()):
            scores[code] += _weight(word)
    if not folded.isascii():
        for code, letters in _TELLING.items():
            scores[code] += sum(1.0 for letter in folded if letter in letters)
    return scores


@cache
def _languages() -> Mapping[str, Sequence[str]]:
    """Return the languages of each function word."""
    found: dict[str, list[str]] = {}
    for code, words in _small_words().items():
        for word in words:
            found.setdefault(word, []).append(code)
    return found


def _weight(word: str) -> float:
    """Return 1 divided by the number of languages that have the word; half of that for most two-letter words."""
    return (1.0 if len(word) > 2 or not word.isascii() or word in _SHORT_AND_CLEAR else 0.5) / len(_languages()[word])


def language_of(texts: Iterable[str], spoken: tuple[str, ...]) -> str:
    """Return the first detected language that is in `spoken`; empty if there is none."""
    return next((code for text in texts if (code := detect(text)) in spoken), "")
