"""A voice as data: what a persona knows, its small talk, and its evasive answers to everything else."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

from chimein_gui.sandbox.model.talk.patterns import Pattern, Words

LIGHT = frozenset({"greeting", "how are you", "thanks", "bye", "good night", "laughter"})
"""Turns that answer a message only if nothing else in it needs an answer."""

Texts = Mapping[str, tuple[str, ...]]
"""Equivalent texts by language."""


@dataclass(frozen=True, slots=True)
class Entry:
    """A fact that the persona knows, or a turn of small talk.

    Attributes:
        name: The topic of a fact, the kind of a turn.
        line: Its line in the file, from 1.
        ask: Patterns by language; one match is enough.
        on: Kinds of media that it answers, such as ``sticker``.
        say: The answers, by language.
    """

    name: str
    line: int
    ask: Mapping[str, tuple[Pattern, ...]]
    say: Texts
    on: frozenset[str] = frozenset()

    def best(self, words: Words, languages: Iterable[str]) -> Pattern | None:
        """Return the matching pattern of the highest rank; None if none matches."""
        # Most patterns end at the first look, which `fits` begins with, too: a voice has hundreds.
        known = words.known
        fitting = [
            one for code in languages for one in self.ask.get(code, ()) if one.exact <= known and one.fits(words)
        ]
        return max(fitting, key=lambda one: one.rank) if fitting else None


_Ranked = tuple[tuple[int, ...], Pattern, Entry]
"""A pattern with its sort key and its entry."""


@dataclass(frozen=True)
class Voice:
    """Everything one persona can say.

    Attributes:
        persona: Its name, as in its agent file.
        languages: The languages it speaks; the first one is used while the chat's language is not known.
        aliases: Other names by which it is addressed.
        evasions: Answers to what nothing matches.
        warmer: Openings put before a text that is to be warmer.
        ask_when: Questions put after a text that is to ask for the time.
        path: The file it was read from.
    """

    persona: str
    languages: tuple[str, ...]
    facts: tuple[Entry, ...]
    turns: tuple[Entry, ...]
    evasions: Texts
    warmer: Texts
    ask_when: Texts
    aliases: tuple[str, ...] = ()
    path: str = field(default="", compare=False)

    def entry_for(self, words: Words, media: str, language: str) -> Entry | None:
        """Return the entry that answers a message; None if there is none.

        Args:
            words: The message.
            media: Kind of its media; empty for none.
            language: Of the chat; patterns of other languages are tried if none of this one matches.
        """
        others = tuple(code for code in self.languages if code != language)
        for codes in ((language,), others):
            found = max(self._fitting(words, codes), key=lambda one: one[0], default=None)
            if found is not None and (not _is_light(found[1]) or not self._asks_more(words, found[1], codes)):
                return found[1]
        return self.on_media(media) if media or not words.has_words else None

    def language_of(self, words: Words) -> str:
        """Return the language whose patterns match a message best; empty if none matches.

        Short messages have no other sign of their language.
        """
        best = {code: max((one[0] for one in self._fitting(words, (code,))), default=None) for code in self.languages}
        ranked = [(rank, code) for code, rank in best.items() if rank is not None]
        return max(ranked, key=lambda one: one[0][:4])[1] if ranked else ""

    def turn(self, kind: str) -> Entry | None:
        """Return the turn of a kind; None if there is none."""
        return next((one for one in self.turns if one.name == kind), None)

    def on_media(self, media: str) -> Entry | None:
        """Return the turn for a kind of media; None if there is none. Empty stands for ``emoji``."""
        kinds = {media or "emoji", *media.split()}
        return next((one for one in self.turns if one.on & kinds), None)

    def _fitting(self, words: Words, codes: tuple[str, ...]) -> Iterator[tuple[tuple[int, ...], Entry]]:
        """Iterate over the entries of matching patterns with their sort key, greatest first choice.

        Light turns come last; then the pattern's rank counts, then facts before turns, then the order in the file.
        """
        known = words.known
        for code in codes:
            by_word = self._by_word.get(code, {})
            for word in ("", *(by_word.keys() & known)):
                for key, pattern, entry in by_word.get(word, ()):
                    if pattern.exact <= known and pattern.fits(words):
                        yield key, entry

    @cached_property
    def _by_word(self) -> Mapping[str, Mapping[str, Sequence[_Ranked]]]:
        """The patterns by language and by a word that each needs, its longest; those without one under ``""``.

        A message has few words, and a voice hundreds of patterns.
        """
        found: dict[str, dict[str, list[_Ranked]]] = {}
        for is_fact, entries in ((True, self.facts), (False, self.turns)):
            for number, entry in enumerate(entries):
                for code, patterns in entry.ask.items():
                    by_word = found.setdefault(code, {})
                    for one in patterns:
                        key = (not _is_light(entry), *one.rank, is_fact, -number)
                        by_word.setdefault(max(one.exact, key=len, default=""), []).append((key, one, entry))
        return found

    def _asks_more(self, words: Words, entry: Entry, codes: tuple[str, ...]) -> bool:
        """Return whether the message has a question that this entry does not match."""
        return any(entry.best(one, codes) is None for one in words.questions)


def _is_light(entry: Entry) -> bool:
    return entry.name in LIGHT
