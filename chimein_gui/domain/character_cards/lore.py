"""The lorebook of a card. Only entries that are always on are used; keys are never searched for, so none can hang."""

from __future__ import annotations

from dataclasses import dataclass

from chimein_gui.domain.character_cards.taming import without_decorators

MOST_ENTRIES = 10_000
"""Entries that are looked at; further ones are kept like everything else."""


_MOST_ORDER = 1e15


@dataclass(frozen=True, slots=True)
class LoreEntry:
    """An entry of a lorebook.

    Attributes:
        index: Its place in the book.
        keys: The words that switch it on.
        secondary_keys: The further words of a selective entry.
        content: Its text without decorators, not tamed.
        enabled: It is in use.
        constant: It is always on, whatever is said.
        order: Entries with a lower number come first.
        before: It belongs before the description of the character.
        decorated: Its content began with decorators.
    """

    index: int
    keys: tuple[str, ...]
    secondary_keys: tuple[str, ...]
    content: str
    enabled: bool
    constant: bool
    order: float
    before: bool
    decorated: bool


@dataclass(frozen=True, slots=True)
class Lore:
    """A lorebook: its entries in the order of the file."""

    entries: tuple[LoreEntry, ...] = ()

    def always_on(self) -> tuple[LoreEntry, ...]:
        """Return the entries that belong to every prompt, in the order of their use."""
        found = (entry for entry in self.entries if entry.enabled and entry.constant and entry.content.strip())
        return tuple(sorted(found, key=lambda entry: (not entry.before, entry.order, entry.index)))


def lore_of(book: object) -> Lore:
    """Return the entries of a lorebook: a list, or an object by number as in files of SillyTavern; others have none."""
    entries = book.get("entries") if isinstance(book, dict) else None
    values = list(entries.values()) if isinstance(entries, dict) else entries if isinstance(entries, list) else []
    read = (_entry(index, value) for index, value in enumerate(values[:MOST_ENTRIES]) if isinstance(value, dict))
    return Lore(tuple(read))


def _entry(index: int, entry: dict[str, object]) -> LoreEntry:
    written = entry.get("content")
    written = written if isinstance(written, str) else ""
    content = without_decorators(written)
    enabled = entry["enabled"] if "enabled" in entry else not entry.get("disable", False)
    return LoreEntry(
        index=index,
        keys=_words(entry.get("keys", entry.get("key"))),
        secondary_keys=_words(entry.get("secondary_keys", entry.get("keysecondary"))),
        content=content,
        enabled=bool(enabled),
        constant=bool(entry.get("constant", False)),
        order=_number(entry.get("insertion_order", entry.get("order"))),
        before=_is_before(entry),
        decorated=content != written,
    )


def _is_before(entry: dict[str, object]) -> bool:
    """Return whether an entry belongs before the character; SillyTavern keeps the true place in the extensions."""
    extensions = entry.get("extensions")
    place = extensions.get("position") if isinstance(extensions, dict) else None
    if place is None:
        place = entry.get("position")
    return place == "before_char" or (place == 0 and not isinstance(place, bool))


def _words(value: object) -> tuple[str, ...]:
    """Return a list of words, which the specification also calls separated by commas."""
    found = value.split(",") if isinstance(value, str) else value if isinstance(value, list) else []
    return tuple(word.strip() for word in found if isinstance(word, str) and word.strip())


def _number(value: object) -> float:
    return float(value) if isinstance(value, int | float) and abs(value) < _MOST_ORDER else 0.0
