"""A voice as data: what a persona knows, what it says to what, and how it gets out of the rest."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field

from chimein_gui.sandbox.model.talk.patterns import Pattern, Words

LIGHT = frozenset({"greeting", "how are you", "thanks", "bye", "good night", "laughter"})
"""Turns that answer a message only if nothing else in it wants an answer."""

Texts = Mapping[str, tuple[str, ...]]
"""By language: written variants."""


@dataclass(frozen=True, slots=True)
class Entry:
    """A fact that the persona owns, or a turn of small talk.

    Attributes:
        name: The topic of a fact, the kind of a turn.
        line: Where it stands in the file, from 1.
        ask: By language: any of these may fit.
        on: What comes with a message that it answers, such as ``sticker``.
        say: What is said to it.
    """

    name: str
    line: int
    ask: Mapping[str, tuple[Pattern, ...]]
    say: Texts
    on: frozenset[str] = frozenset()

    def best(self, words: Words, languages: Iterable[str]) -> Pattern | None:
        """Return the pattern that fits best, None if none does."""
        fitting = [one for code in languages for one in self.ask.get(code, ()) if one.fits(words)]
        return max(fitting, key=lambda one: one.rank, default=None)


@dataclass(frozen=True)
class Voice:
    """All that one persona can say.

    Attributes:
        persona: Its name, as in its agent file.
        languages: Those it speaks; the first one where nobody has been understood yet.
        aliases: Other names that it listens to.
        evasions: What is said to what fits nothing.
        warmer: Put in front where warmth is asked for.
        ask_when: Put behind where the time is to be asked for.
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
        """Return what answers a message, None if an evasion has to.

        Args:
            words: The message.
            media: What comes with it; empty for nothing.
            language: Of the chat; patterns of the others count where none of this one fits.
        """
        others = tuple(code for code in self.languages if code != language)
        for codes in ((language,), others):
            found = max(self._fitting(words, codes), key=lambda one: one[0], default=None)
            if found is not None and (not _is_light(found[1]) or not self._asks_more(words, found[1], codes)):
                return found[1]
        return self.on_media(media) if media or not words.has_words else None

    def language_of(self, words: Words) -> str:
        """Return the language in which a message fits best, nothing if it fits in none; short ones tell only so."""
        best = {code: max((one[0] for one in self._fitting(words, (code,))), default=None) for code in self.languages}
        ranked = [(rank, code) for code, rank in best.items() if rank is not None]
        return max(ranked, key=lambda one: one[0][:4])[1] if ranked else ""

    def turn(self, kind: str) -> Entry | None:
        """Return the turn of a kind."""
        return next((one for one in self.turns if one.name == kind), None)

    def on_media(self, media: str) -> Entry | None:
        """Return the turn for what comes along; words alone are no media, emoji alone are ``emoji``."""
        kinds = {media or "emoji", *media.split()}
        return next((one for one in self.turns if one.on & kinds), None)

    def _fitting(self, words: Words, codes: tuple[str, ...]) -> Iterator[tuple[tuple[object, ...], Entry]]:
        """Give what fits with its rank: most words first, then letters, then facts, then its place in the file."""
        for is_fact, entries in ((True, self.facts), (False, self.turns)):
            for number, entry in enumerate(entries):
                pattern = entry.best(words, codes)
                if pattern is not None:
                    yield (not _is_light(entry), *pattern.rank, is_fact, -number), entry

    def _asks_more(self, words: Words, entry: Entry, codes: tuple[str, ...]) -> bool:
        """Tell whether a light turn would leave a question open: one stands in the message, and not in what it fits."""
        return any(entry.best(one, codes) is None for one in words.questions)


def _is_light(entry: Entry) -> bool:
    return entry.name in LIGHT
