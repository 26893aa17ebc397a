"""What the responder knows of a language: by which words it is recognised, and what they are for."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property

from chimein_gui.sandbox.model.languages.wording import bare

NEVER = re.compile(r"(?!)")


@dataclass(frozen=True, eq=False)
class Lexicon:
    """One language.

    Attributes:
        code: ISO 639-1.
        common: Its most frequent words, separated by blanks: they tell it from its neighbours, and mean nothing in a
            search. Of a language without blanks: particles.
        frequent: More words that tell it, but mean something.
        letters: Letters that hardly any neighbour has.
        cues: What a sentence does → alternatives of a regular expression, in whole words.
        synonyms: Groups of words, separated by blanks, that mean the same in a search.
        call_out: How somebody is addressed, with ``{}`` for the name.
        has_blanks: Words are separated by blanks.
        shapes: A regular expression of what its words look like; breaks a tie between languages.
        short: Short forms of chats → what they stand for.
        swaps: Pairs of words, “mine yours”, that change places when somebody is answered; ``*`` for any ending.
    """

    code: str
    common: str
    cues: Mapping[str, str]
    frequent: str = ""
    letters: str = ""
    synonyms: tuple[str, ...] = ()
    call_out: str = "{}! "
    has_blanks: bool = True
    shapes: str = ""
    short: Mapping[str, str] = field(default_factory=dict)
    swaps: tuple[str, ...] = ()
    _compiled: dict[str, re.Pattern[str]] = field(default_factory=dict, init=False, repr=False, compare=False)

    @cached_property
    def common_words(self) -> frozenset[str]:
        """The words of `common`."""
        return frozenset(self.common.split())

    @cached_property
    def bare_words(self) -> frozenset[str]:
        """All words that tell the language, without accents, and the short forms of chats."""
        return frozenset(bare(word) for word in f"{self.common} {self.frequent}".split()) | self.short.keys()

    def spelled_out(self, text: str) -> str:
        """Replace the short forms of chats."""
        if not self.short:
            return text
        if "short forms" not in self._compiled:
            self._compiled["short forms"] = self._compile("|".join(map(re.escape, self.short)))
        return self._compiled["short forms"].sub(lambda found: self.short[found[0].casefold()], text)

    def turned(self, text: str) -> str:
        """Let mine and yours change places: what is “your day” to one is “my day” to the other."""
        pairs = [pair.replace("*", "").split() for pair in self.swaps]
        other = {one: two for pair in pairs for one, two in (pair, pair[::-1])}
        if not other:
            return text
        if "turned" not in self._compiled:
            words = [word if "*" in word else rf"{word}\b" for pair in self.swaps for word in pair.split()]
            self._compiled["turned"] = re.compile(rf"\b(?:{'|'.join(words)})".replace("*", ""), re.IGNORECASE)
        return self._compiled["turned"].sub(lambda found: other[found[0].casefold()], text)

    def cue(self, name: str) -> re.Pattern[str]:
        """Return the pattern of a cue; one that never matches where the language has none of that name."""
        if name not in self._compiled:
            self._compiled[name] = self._compile(self.cues.get(name, ""))
        return self._compiled[name]

    def says(self, name: str, text: str) -> re.Match[str] | None:
        """Find a cue in a text, accents or not; what is found stands at the same place in the text."""
        return self.cue(name).search(bare(text))

    def any_of(self, names: tuple[str, ...]) -> re.Pattern[str]:
        """Return one pattern of several cues."""
        key = " ".join(names)
        if key not in self._compiled:
            self._compiled[key] = self._compile("|".join(self.cues[name] for name in names if self.cues.get(name)))
        return self._compiled[key]

    def _compile(self, alternatives: str) -> re.Pattern[str]:
        if not alternatives:
            return NEVER
        edges = (r"(?<!\w)(?:", r")(?!\w)") if self.has_blanks else ("(?:", ")")
        return re.compile(edges[0] + bare(alternatives) + edges[1], re.IGNORECASE)
