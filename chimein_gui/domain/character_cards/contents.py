"""What becomes of each part of a card: used in the instructions, kept with the file, or ignored."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

from chimein_gui.domain.character_cards.card_file import CardContainer
from chimein_gui.domain.character_cards.persona import PROMPTS
from chimein_gui.domain.character_cards.taming import is_tame

if TYPE_CHECKING:
    from collections.abc import Iterator

    from chimein_gui.domain.character_cards.card import CharacterCard
    from chimein_gui.domain.character_cards.card_file import CardFile

MOST_NAMED = 8
"""Names of unknown members that are listed."""


class CardUse(StrEnum):
    """What becomes of a part."""

    USED = "used"
    ON_REQUEST = "on request"
    """Used only if the operator asks for it."""
    KEPT = "kept"
    """It stays in the stored file and in every export, but no prompt has it."""
    IGNORED = "ignored"


class CardPart(StrEnum):
    """The parts of a card; `number` and `words` of a `CardContent` are those of its part."""

    NAME = "name"
    NICKNAME = "nickname"
    DESCRIPTION = "description"
    PERSONALITY = "personality"
    SCENARIO = "scenario"
    EXAMPLES = "mes_example"
    LORE_ALWAYS_ON = "lore always on"
    SYSTEM_PROMPT = "system_prompt"
    CLOSING_PROMPT = "post_history_instructions"
    FIRST_MESSAGE = "first_mes"
    GREETINGS = "greetings"
    LORE_BY_KEYS = "lore by keys"
    CREATOR_NOTES = "creator_notes"
    CREATOR = "creator"
    CHARACTER_VERSION = "character_version"
    TAGS = "tags"
    SOURCES = "source"
    ASSETS = "assets"
    PICTURE = "picture"
    EXTENSIONS = "extensions"
    UNKNOWN = "unknown"
    OTHER_CARD = "other card"
    """The older card in the same PNG."""
    MISMATCHED = "mismatched"
    MISTYPED = "mistyped"
    DECORATORS = "decorators"
    WEB_ASSETS = "web assets"
    """They are never fetched."""
    UNSAFE_CHARACTERS = "unsafe characters"


_USED = (
    *(CardPart.NAME, CardPart.NICKNAME, CardPart.DESCRIPTION, CardPart.PERSONALITY),
    *(CardPart.SCENARIO, CardPart.EXAMPLES),
)
_ON_REQUEST = (CardPart.SYSTEM_PROMPT, CardPart.CLOSING_PROMPT)
_KEPT = (CardPart.FIRST_MESSAGE, CardPart.CREATOR_NOTES, CardPart.CREATOR, CardPart.CHARACTER_VERSION)


@dataclass(frozen=True, slots=True)
class CardContent:
    """A part of a card.

    Attributes:
        part: Which one.
        use: What becomes of it.
        number: How many there are, for parts with a number.
        words: Names by others, separated by commas; not sanitized.
    """

    part: CardPart
    use: CardUse
    number: int = 1
    words: str = ""


def contents_of(file: CardFile) -> tuple[CardContent, ...]:
    """Return what becomes of the parts that a card has."""
    return tuple(one for one in _contents(file) if one.number)


def _contents(file: CardFile) -> Iterator[CardContent]:
    card = file.card
    for use, parts in ((CardUse.USED, _USED), (CardUse.ON_REQUEST, _ON_REQUEST), (CardUse.KEPT, _KEPT)):
        for part in parts:
            yield CardContent(part, use, int(bool(card.word(part.value).strip())))
    always_on = card.lore.always_on()
    yield CardContent(CardPart.LORE_ALWAYS_ON, CardUse.USED, len(always_on))
    yield CardContent(CardPart.LORE_BY_KEYS, CardUse.KEPT, len(card.lore.entries) - len(always_on))
    greetings = (*card.lists.get("alternate_greetings", ()), *card.lists.get("group_only_greetings", ()))
    yield CardContent(CardPart.GREETINGS, CardUse.KEPT, len(greetings))
    yield CardContent(CardPart.TAGS, CardUse.KEPT, len(card.lists.get("tags", ())))
    yield CardContent(CardPart.SOURCES, CardUse.KEPT, len(card.lists.get("source", ())))
    web = sum(_is_on_the_web(asset) for asset in card.lists.get("assets", ()))
    yield CardContent(CardPart.ASSETS, CardUse.KEPT, len(card.lists.get("assets", ())) - web)
    yield CardContent(CardPart.PICTURE, CardUse.KEPT, int(file.container is CardContainer.PNG))
    yield _named(CardPart.EXTENSIONS, CardUse.KEPT, card.extensions)
    yield _named(CardPart.UNKNOWN, CardUse.KEPT, card.unknown)
    yield CardContent(CardPart.WEB_ASSETS, CardUse.IGNORED, web)
    yield CardContent(CardPart.OTHER_CARD, CardUse.IGNORED, int(file.overruled))
    yield _named(CardPart.MISMATCHED, CardUse.IGNORED, card.mismatched)
    yield _named(CardPart.MISTYPED, CardUse.IGNORED, card.mistyped)
    yield CardContent(CardPart.DECORATORS, CardUse.IGNORED, sum(entry.decorated for entry in always_on))
    yield CardContent(CardPart.UNSAFE_CHARACTERS, CardUse.IGNORED, int(not all(map(is_tame, _used_texts(card)))))


def _used_texts(card: CharacterCard) -> Iterator[str]:
    yield from (card.word(part.value) for part in _USED)
    yield from (card.word(name) for name in PROMPTS)
    yield from (entry.content for entry in card.lore.always_on())


def _named(part: CardPart, use: CardUse, names: tuple[str, ...]) -> CardContent:
    words = ", ".join(names[:MOST_NAMED]) + (", …" if len(names) > MOST_NAMED else "")
    return CardContent(part, use, len(names), words)


def _is_on_the_web(asset: object) -> bool:
    uri = asset.get("uri") if isinstance(asset, dict) else None
    return isinstance(uri, str) and uri.strip().lower().startswith(("http:", "https:", "ftp:", "//"))
