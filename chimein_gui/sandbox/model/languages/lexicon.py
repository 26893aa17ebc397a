"""What the responder knows of a language: by which words it is recognised, and what they are for."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property

NEVER = re.compile(r"(?!)")


@dataclass(frozen=True, eq=False)
class Lexicon:
    """One language.

    Attributes:
        code: ISO 639-1.
        common: Its most frequent words, separated by blanks: they tell it from its neighbours, and mean nothing in a
            search. Of a language without blanks: particles.
        letters: Letters that hardly any neighbour has.
        cues: What a sentence does → alternatives of a regular expression, in whole words.
        synonyms: Groups of words, separated by blanks, that mean the same in a search.
        call_out: How somebody is addressed, with ``{}`` for the name.
        has_blanks: Words are separated by blanks.
    """

    code: str
    common: str
    cues: Mapping[str, str]
    letters: str = ""
    synonyms: tuple[str, ...] = ()
    call_out: str = "{}! "
    has_blanks: bool = True
    _compiled: dict[str, re.Pattern[str]] = field(default_factory=dict, init=False, repr=False, compare=False)

    @cached_property
    def common_words(self) -> frozenset[str]:
        """The words of `common`."""
        return frozenset(self.common.split())

    def cue(self, name: str) -> re.Pattern[str]:
        """Return the pattern of a cue; one that never matches where the language has none of that name."""
        if name not in self._compiled:
            self._compiled[name] = self._compile(self.cues.get(name, ""))
        return self._compiled[name]

    def says(self, name: str, text: str) -> re.Match[str] | None:
        """Find a cue in a text."""
        return self.cue(name).search(text)

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
        return re.compile(edges[0] + alternatives + edges[1], re.IGNORECASE)
