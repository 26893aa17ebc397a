"""Which language something is written in: by its script, else by its words."""

import re
from collections.abc import Iterable, Mapping
from functools import lru_cache

from chimein_gui.sandbox.model.languages.chinese import CHINESE
from chimein_gui.sandbox.model.languages.english import ENGLISH
from chimein_gui.sandbox.model.languages.french import FRENCH
from chimein_gui.sandbox.model.languages.german import GERMAN
from chimein_gui.sandbox.model.languages.japanese import JAPANESE
from chimein_gui.sandbox.model.languages.lexicon import Lexicon
from chimein_gui.sandbox.model.languages.portuguese import PORTUGUESE
from chimein_gui.sandbox.model.languages.russian import RUSSIAN
from chimein_gui.sandbox.model.languages.spanish import SPANISH
from chimein_gui.sandbox.model.languages.thai import THAI
from chimein_gui.sandbox.model.languages.wording import bare, tidy

LEXICONS: Mapping[str, Lexicon] = {
    one.code: one for one in (ENGLISH, PORTUGUESE, GERMAN, SPANISH, FRENCH, RUSSIAN, JAPANESE, THAI, CHINESE)
}
"""Every language that is spoken, by code."""

DEFAULT = ENGLISH.code

_SCRIPTS = (
    ("th", re.compile("[\u0e00-\u0e7f]")),
    ("ja", re.compile("[\u3040-\u30ff]")),
    ("ru", re.compile("[\u0400-\u04ff]")),
    ("zh", re.compile("[\u4e00-\u9fff]")),
)
_LATIN = tuple(one for one in LEXICONS.values() if one.code not in dict(_SCRIPTS))
_TELLING_CUES = ("greeting", "night", "farewell", "thanks", "apology", "congrats", "how_are_you", "agree", "disagree")
_MORE_CUES = (
    *("sad", "glad", "fact", "story", "help", "remember", "compliment", "insult", "invite", "recall", "laugh", "clock"),
    *("your_name", "your_doing", "when", "where", "who", "why", "count", "how", "what", "time", "summary"),
)
_SURE = 2.0
_WORD = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)?")
_URL = re.compile(r"https?://\S+|@\w+")
_MUCH = 400


@lru_cache(maxsize=256)
def detect(text: str) -> str:
    """Return the code of the language of a text, or nothing if the text does not tell."""
    text = tidy(_URL.sub(" ", text[:_MUCH]))
    for code, letters in _SCRIPTS:
        count = len(letters.findall(text))
        if count * 3 > len(text.replace(" ", "")) or (code != "zh" and count >= 4):
            return code
    words = [word.replace("’", "'") for word in _WORD.findall(text.casefold())]
    if not words:
        return ""
    scores = {one.code: _score(one, words, text) for one in _LATIN}
    ranking = sorted(scores.values())
    if ranking[-1] < _SURE or ranking[-1] == ranking[-2]:
        scores = {one.code: scores[one.code] + _said(one, _MORE_CUES, text) + _looks(one, text) for one in _LATIN}
    best = max(scores, key=lambda code: scores[code])
    return best if scores[best] > 0 and list(scores.values()).count(scores[best]) == 1 else ""


def language_of(texts: Iterable[str]) -> str:
    """Return the language of the first text that tells its own."""
    return next((code for text in texts if (code := detect(text))), DEFAULT)


def _score(lexicon: Lexicon, words: list[str], text: str) -> float:
    common = sum(_weight(word, lexicon) for word in words)
    letters = sum(1.0 for letter in text.casefold() if letter in lexicon.letters)
    return common + letters * 1.5 + _said(lexicon, _TELLING_CUES, text)


def _weight(word: str, lexicon: Lexicon) -> float:
    if word in lexicon.common_words or word.split("'")[0] in lexicon.common_words:
        return 1.0
    return 0.7 if bare(word) in lexicon.bare_words else 0.0


def _looks(lexicon: Lexicon, text: str) -> float:
    """Weigh endings and pairs of letters: a hint where no word is known."""
    return 0.3 * sum(1 for _ in re.finditer(lexicon.shapes, text, re.IGNORECASE)) if lexicon.shapes else 0.0


def _said(lexicon: Lexicon, cues: tuple[str, ...], text: str) -> float:
    return sum(len(match[0]) for match in lexicon.any_of(cues).finditer(bare(text))) / 5
